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

// Whether an error without frames in its stack is shown in brackets. Node 6 and 8 show a stack as it is, Node 10 inside of others.
function isInBrackets(error, indentation) {
  return !atLeast(6) || atLeast(11) || (atLeast(10) ? indentation === 0 : !error.stack);
}

module.exports = { inspect, format, formatWithOptions, isInBrackets, stripVTControlCharacters };
