// path/posix (lib/path/posix.js).
'use strict';

module.exports = require('path').posix;
