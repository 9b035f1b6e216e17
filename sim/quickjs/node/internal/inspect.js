// Values as texts (lib/internal/util/inspect.js): the package node-inspect-extracted.
'use strict';

const { inspect, format, formatWithOptions, stripVTControlCharacters } = require('vendor/inspect');

module.exports = { inspect, format, formatWithOptions, stripVTControlCharacters };
