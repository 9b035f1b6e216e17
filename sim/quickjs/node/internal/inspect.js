// Values as texts (lib/internal/util/inspect.js): the package node-inspect-extracted.
'use strict';

const { inspect, formatWithOptions: formatNow, stripVTControlCharacters } = require('vendor/inspect');
const { atLeast } = require('internal/version');

const { toString } = Error.prototype;
const errorText = (error) => Reflect.apply(toString, error, []);

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

// Before Node 6 an error has no stack.
function withoutStack(error) { return `[${errorText(error)}]`; }

// Whether a text has a stack with places in it, and not only one that the program has written.
function hasFrames(text) { return /\n +at .*:\d+:\d+\)?(?:\W|$)/.test(text); }

// Whether a property's value begins a line of its own. With Node's own frames, which are left out here, a stack is always wide.
function beginsLine(text, isWide) {
  if (atLeast(12)) return isWide;
  return (isWide || hasFrames(text)) && (atLeast(10) || !atLeast(8) || /^(?:[\w$]+ )?[[{]/.test(text));
}

const kEscapes = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\' };
// A text in quotes, before Node 16: half a surrogate pair is shown as it is. Before 14 control characters are \u0001, and those
// behind the letters stay; before 11 all texts have single quotes.
function quoted(text) {
  const fits = (quote) => atLeast(11) && !text.includes(quote);
  const quote = !text.includes("'") ? "'" : fits('"') ? '"' : fits('`') && !text.includes('${') ? '`' : "'";
  const code = (c) => (atLeast(14) ? `\\x${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}` :
    `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const escaped = atLeast(14) ? /[\x00-\x1f'\\\x7f-\x9f]/g : /[\x00-\x1f'\\]/g;
  return quote + text.replace(escaped, (c) => (c === "'" ? (quote === c ? "\\'" : c) : kEscapes[c] ?? code(c))) + quote;
}

module.exports = {
  beginsLine, format, formatWithOptions, hasFrames, inspect, isInBrackets, quoted, stripVTControlCharacters, withoutStack,
};
