// Values as texts (lib/internal/util/inspect.js): the package node-inspect-extracted.
'use strict';

const { inspect, formatWithOptions: formatNow, stripVTControlCharacters } = require('vendor/inspect');
const { atLeast } = require('internal/version');

// Before 12, a text behind a first value that is none is shown with its quotes.
function formatWithOptions(options, ...args) {
  if (args.length < 2 || typeof args[0] === 'string' || atLeast(12)) return formatNow(options, ...args);
  return args.map((one) => inspect(one, options)).join(' ');
}
function format(...args) { return formatWithOptions({}, ...args); }

module.exports = { inspect, format, formatWithOptions, stripVTControlCharacters };
