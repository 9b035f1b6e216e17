"""Judge of the browser's event loop: the same programs in the real Chromium and Firefox."""
