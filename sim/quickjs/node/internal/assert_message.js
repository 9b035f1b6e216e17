// Messages of failed assertions that the package assert has not, or not as Node has them now (lib/assert.js).
'use strict';

const native = internalBinding;
const { callAround } = require('internal/source');
const { inspect } = require('internal/inspect');

// assert.ok(): the failed expression as the program has it; since Node 22 its first line. Undefined before Node 10.
function falsyMessage(fn) {
  if (native.facts.major < 10) return undefined;
  const holder = {};
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (error, sites) => sites;
  Error.captureStackTrace(holder, fn);
  const sites = holder.stack;
  if (prepareStackTrace === undefined) delete Error.prepareStackTrace;
  else Error.prepareStackTrace = prepareStackTrace;
  const site = Array.isArray(sites) ? sites[0] : undefined;
  let text = site && callAround(site.getFileName(), site.getLineNumber(), site.getColumnNumber());
  if (native.facts.major >= 22) text = text?.split('\n', 1)[0];
  return text === undefined ? 'The expression evaluated to a falsy value' :
    `The expression evaluated to a falsy value:\n\n  ${text}\n`;
}

// Before Node 10.
const kEarlyOperators = { strictEqual: '===', notStrictEqual: '!==', equal: '==', notEqual: '!=' };
const operatorOf = ({ operator }) => (native.facts.major < 10 ? kEarlyOperators[operator] ?? operator : operator);
const earlyMessage = (actual, operator, expected) => `${inspect(actual).slice(0, 128)} ${operator} ${inspect(expected).slice(0, 128)}`;

// What stands behind a message of the program's since Node 20.
function difference(operator, describe) {
  if (native.facts.major < 20 || (operator !== 'strictEqual' && operator !== 'deepStrictEqual')) return '';
  const text = describe();
  return text.slice(text.indexOf('\n'));
}

function fail(AssertionError, actual, expected, message, fn, generated) {
  if (message instanceof Error) throw message;
  const error = new AssertionError({
    actual, expected, message: message === undefined ? generated : message, operator: fn.name, stackStartFn: fn,
  });
  error.generatedMessage = message === undefined;
  throw error;
}

const isObject = (value) => value !== null && typeof value === 'object';

function failMatch(AssertionError, actual, expected, message, fn) {
  const input = inspect(isObject(actual) ? `${actual}` : actual);
  fail(AssertionError, actual, expected, message, fn,
       `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${input}\n`);
}

function failClass(AssertionError, actual, expected, message, fn) {
  let text = `The error is expected to be an instance of "${expected.name}". Received `;
  if (actual instanceof Error) text += `"${actual.constructor?.name ?? actual.name}"\n\nError message:\n\n${actual.message}`;
  else text += `"${inspect(actual, { depth: -1 })}"`;
  fail(AssertionError, actual, expected, message, fn, text);
}

function failValidation(AssertionError, actual, expected, result, message, fn) {
  const name = expected.name ? `"${expected.name}" ` : '';
  const caught = actual instanceof Error ? `\n\nCaught error:\n\n${actual}` : '';
  fail(AssertionError, actual, expected, message, fn,
       `The ${name}validation function is expected to return "true". Received ${inspect(result)}${caught}`);
}

module.exports = { difference, earlyMessage, failClass, failMatch, failValidation, falsyMessage, operatorOf };
