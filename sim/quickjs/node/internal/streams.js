// Streams are Node's own files (lib/stream.js, lib/internal/streams/): the module of the version that the process is.
'use strict';

const { requireBuiltin } = require('internal/builtins');

module.exports = { current: () => requireBuiltin('stream') };
