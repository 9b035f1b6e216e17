"""The differential test: the simulator against real Node.js binaries under a virtual clock."""
