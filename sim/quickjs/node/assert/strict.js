// assert/strict (lib/assert/strict.js).
'use strict';

module.exports = require('assert').strict;
