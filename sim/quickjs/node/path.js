// path (lib/path.js): the package path-browserify, of POSIX alone.
'use strict';

const posix = require('vendor/path');

posix.posix = posix;
posix.toNamespacedPath = (path) => path;

module.exports = posix;
