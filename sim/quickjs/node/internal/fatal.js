// What is printed of an error that nobody handles, and of rejections (src/node_errors.cc, ReportFatalException();
// lib/internal/process/promises.js).
'use strict';

const native = internalBinding;
const { adviceFor } = require('internal/advice');
const { inspect } = require('internal/inspect');
const { kindOf, ownPlace } = require('internal/own_places');
const { lineOf, nameOf, throwAt, throwOf, topLevelAwait, wrapperAt } = require('internal/source');
const { isStackOwn, placeOfThrow } = require('internal/stack');
const { atLeast, major } = require('internal/version');
const { textOf } = require('internal/words');

const { isError } = Error;

// ---- an 'error' that nobody listens to ------------------------------------------------------------------------------------

const emitted = new WeakMap();  // by error: [the emitter's class, the frames of the call of emit()]

// The stack without its first line.
function framesOf(stack) {
  const at = stack.indexOf('\n    at ');
  return at < 0 ? [] : stack.slice(at + 1).split('\n');
}

// `above`: the function that the program has called.
function noteEmitted(error, emitter, above) {
  const place = {};
  Error.captureStackTrace(place, above);
  let name = '';
  try { name = emitter.constructor.name; } catch { /* it has none */ }
  emitted.set(error, [name === 'EventEmitter' || typeof name !== 'string' || !atLeast(12) ? '' : ` on ${name} instance`, place]);
}

const emittedOther = new WeakSet();  // what stands for an 'error' that is none
function noteEmittedOther(error) { emittedOther.add(error); }

// What belongs into the stack of such an error.
function emittedText(error, stack) {
  const found = emitted.get(error);
  if (found === undefined || !atLeast(10)) return '';
  const [on, place] = found;
  let frames = framesOf(place.stack);
  if (!atLeast(22)) {  // of frames that both stacks have, the first one is left
    const own = framesOf(stack);
    let shared = 0;
    while (shared < Math.min(own.length, frames.length) && own[own.length - 1 - shared] === frames[frames.length - 1 - shared]) shared++;
    if (shared > 1) frames = frames.slice(0, frames.length - shared + 1);
  }
  return `\nEmitted 'error' event${on} at:\n${frames.join('\n')}`;
}

// ---- the report ------------------------------------------------------------------------------------------------------------

function headerAt(place, line, column) {
  return `${place}\n${line}\n${line.slice(0, column - 1).replace(/[^\t]/g, ' ')}^\n`;
}

function headerIn(file, line, text, column) {
  const wrapper = wrapperAt(file, line);
  return headerAt(`${nameOf(file)}:${line}`, wrapper + text, wrapper.length + column);
}

function ownHeader(kind) {
  const place = ownPlace(kind, major());
  return place === undefined ? '' : headerAt(place[0], place[1], place[2] ?? /^ */.exec(place[1])[0].length + 1);
}

// Node itself catches what a microtask throws: V8 knows the place of an error then, and of other values that of nothing.
function isFromMicrotask(fromPromise) { return !fromPromise && native.threwIn().startsWith('queueMicrotask'); }
function placelessHeader() {
  if (!atLeast(14) || native.threwIn().endsWith('between ticks')) return ownHeader('microtask');
  return atLeast(20) ? '<anonymous_script>:0\n\n' : 'undefined:0\n\n';
}

const kKinds = [
  [/^node:internal\/modules/, 'load'],
  [/^node:(?:vendor\/)?assert/, 'assert'],
  [/^node:internal\/(?:validate|errors)/, 'check'],
];

// Of syntax that the version has not, the stack begins with it (Engine::throws_for_syntax).
function hasOwnPlace(error) { return isError(error) && error instanceof SyntaxError && /^[^\n]+:\d+\n/.test(error.stack); }

// Whether its stack is V8's.
function hasOwnStack(error) {
  if (!isError(error)) return false;
  return atLeast(22) || isStackOwn(error);
}

function headerOf(error, fromPromise) {
  if (emitted.has(error)) return ownHeader('emit');
  if (emittedOther.has(error)) return ownHeader('emitOther');
  if (fromPromise && !hasOwnStack(error)) return ownHeader('rejectLike');
  if (hasOwnPlace(error)) return '';
  const place = placeOfThrow(error);
  if (place === undefined) return '';
  const ownKind = kindOf(error);
  if (!fromPromise && ownKind !== undefined) {
    const header = ownHeader(ownKind);
    if (header !== '') return header;
  }
  const isCallers = ownKind === 'caller';
  if (String(place.file).startsWith('node:') && !fromPromise && !isCallers) {
    const kind = kKinds.find(([pattern]) => pattern.test(place.file));
    if (kind === undefined) return '';
    if (error.code === 'ERR_INVALID_CALLBACK') return ownHeader('callback');
    return kind[1] !== 'check' || atLeast(20) || error.code === 'ERR_INVALID_ARG_TYPE' ? ownHeader(kind[1]) : '';
  }
  const { made } = place;
  const isSeen = made !== undefined && Object.getOwnPropertyDescriptor(error, 'stack')?.get === undefined;
  if (isFromMicrotask(fromPromise) && isSeen) return placelessHeader();
  if (place.isThrown && !fromPromise && !isCallers && !isFromMicrotask(fromPromise)) {
    const at = throwAt(place.file, place.line, place.column);
    if (at !== undefined) return headerIn(place.file, at.line, at.text, at.column);
  }
  if (!fromPromise && !isCallers && isSeen) {
    const at = throwOf('', made);  // what has had its stack read is thrown unseen
    if (at !== undefined) return headerIn(at.file, at.line, at.text, at.column);
  }
  const text = made === undefined ? undefined : lineOf(made.file, made.line);
  return text === undefined ? '' : headerIn(made.file, made.line, text, made.column);
}

function isObject(value) { return (typeof value === 'object' && value !== null) || typeof value === 'function'; }

// Before Node 12: [the text, whether it is the property `stack`]. It is read once; what a proxy answers is seen by the program.
const kExpand = Symbol('kExpandStackSymbol');
function oldBody(error) {
  if (isObject(error)) {
    if (atLeast(10)) void error[kExpand];
    const { stack } = error;
    if (stack !== undefined && `${stack}` !== '') return [`${stack}`, true];
    const { message, name } = error;
    if (name !== undefined && message !== undefined) return [`${name}: ${message}`, false];
  }
  try {
    return [`${error}`, false];
  } catch {
    return ['<toString() threw exception>', false];
  }
}

const kEnhance = Symbol('kEnhanceStackBeforeInspector');
function readForInspector(error) {
  try {
    void error[kEnhance];
    void error.stack;
    if (isError(error) && !atLeast(22)) void error.stack;  // by inspect(), once more than ours does
  } catch { /* the program's own */ }
}

function bodyOf(error) {
  if (!isObject(error)) return typeof error === 'symbol' ? '' : `${error}`;
  if (hasOwnPlace(error)) return error.stack;
  readForInspector(error);
  const { stack } = error;
  const text = rejected.has(error) && atLeast(20) ? `${stack} {\n  code: 'ERR_UNHANDLED_REJECTION'\n}` : inspect(error);
  const own = typeof stack === 'string' ? stack : '';
  const more = own === '' ? '' : emittedText(error, own);
  return more !== '' && text.startsWith(own) ? own + more + text.slice(own.length) : text;
}

function reportFatal(error, fromPromise) {
  const isReal = isError(error);
  let header = '';
  let text;
  try {
    if (isReal) {
      header = rejected.has(error) ? ownHeader('reject') : headerOf(error, fromPromise);
    } else {
      header = isFromMicrotask(fromPromise) ? placelessHeader() : headerOf(error, fromPromise);
      const literal = typeof error === 'string' ? `'${error}` : typeof error === 'number' ? `${error}` : '';
      const at = header === '' ? throwOf(literal) : undefined;
      if (at !== undefined) header = headerIn(at.file, at.line, at.text, at.column);
    }
    if (atLeast(12)) {
      text = bodyOf(error);
    } else {
      const [body, isStack] = oldBody(error);
      text = isStack && isReal ? body + emittedText(error, body) : body;
    }
  } catch {
    text = '<toString() threw exception>';
  }
  if (isReal) text = header === '' ? text : `${header}\n${text}`;
  else text = `\n${header}${text}`;
  if (atLeast(12) && !isObject(error)) text += '\n(Use `node --trace-uncaught ...` to show where the exception was thrown)';
  if (atLeast(17)) text += `\n\nNode.js v${native.facts.release}`;
  native.print(text, true);
  return isReal ? adviceFor(error) : '';
}

// The modules whose own body waits.
function reportUnsettled() {
  if (!atLeast(22)) return;
  for (const [file, line, column] of native.unsettled()) {
    const at = topLevelAwait(file, line, column);
    if (at === undefined) continue;
    native.print(`Warning: Detected unsettled top-level await at ${nameOf(file)}:${at.line}\n${at.text}\n` +
                 `${at.text.slice(0, at.column - 1).replace(/[^\t]/g, ' ')}^\n\n\n`, true);
  }
}

// ---- rejections ------------------------------------------------------------------------------------------------------------

const kOrigin = 'This error originated either by throwing inside of an async function without a catch block, or by ' +
                'rejecting a promise which was not handled with .catch().';
const rejected = new WeakSet();  // what unhandledRejection() has made

// V8's text of a value without calling the program.
function plainText(value) {
  if (typeof value === 'string') return value;
  return !atLeast(10) && native.proxyDetails(value) !== undefined ? '[object Object]' : textOf(value);
}

function isErrorLike(reason) { return typeof reason === 'object' && reason !== null && Object.hasOwn(reason, 'stack'); }

// Since Node 20 a class of its own (lib/internal/process/promises.js); before, an error like others of Node's.
class UnhandledPromiseRejection extends Error {
  code = 'ERR_UNHANDLED_REJECTION';
  constructor(message) {
    super(message);
    this.name = 'UnhandledPromiseRejection';
  }
}

function oldRejection(message) {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: 'UnhandledPromiseRejection', writable: true, configurable: true, enumerable: false });
  error.code = 'ERR_UNHANDLED_REJECTION';
  return error;
}

// What an unhandled rejection ends the process with: the reason, if Node takes it for an error (isErrorLike()).
function unhandledRejection(reason) {
  if (isError(reason) || isErrorLike(reason)) return reason;
  const message = `${kOrigin} The promise rejected with the reason "${plainText(reason)}".`;
  const error = atLeast(20) ? new UnhandledPromiseRejection(message) : oldRejection(message);
  // Its frames are Node's own.
  const value = `${error.name}: ${message}`;
  Object.defineProperty(error, 'stack', { value, writable: true, configurable: true, enumerable: false });
  rejected.add(error);
  return error;
}

// What the reason is, before the warning.
function tellReason(reason, warning) {
  const name = 'UnhandledPromiseRejectionWarning';
  let isErrorToNode = false;
  try {
    isErrorToNode = atLeast(15) ? isErrorLike(reason) : reason instanceof Error;
    if (isErrorToNode && !atLeast(10)) void (reason instanceof Error);  // asked twice: a proxy tells
    const text = isErrorToNode ? reason.stack : plainText(reason);
    if (text === undefined && !atLeast(11)) {
      const nameless = new Error();
      nameless.name = name;
      native.process.emitWarning(nameless);
    } else {
      native.process.emitWarning(text, name);
    }
    if (isErrorToNode) warning.stack = reason.stack;
  } catch { /* as Node does */ }
}

let wasDeprecationTold = false;

function warnOfRejection(reason, number) {
  const { process } = native;
  if (!atLeast(8)) {
    if (!atLeast(6)) return;
    try {
      if (reason instanceof Error) void reason.stack;  // a proxy tells
    } catch { /* as Node does */ }
    process.emitWarning(`Unhandled promise rejection (rejection id: ${number}): ${plainText(reason)}`, 'UnhandledPromiseRejectionWarning');
  } else {
    const advice = atLeast(12) ? ' To terminate the node process on unhandled promise rejection, use the CLI flag ' +
      `\`--unhandled-rejections=strict\` (see https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode).` : '';
    const warning = new Error(`Unhandled promise rejection. ${kOrigin}${advice} (rejection id: ${number})`);
    warning.name = 'UnhandledPromiseRejectionWarning';
    tellReason(reason, warning);
    process.emitWarning(warning);
  }
  if (!wasDeprecationTold && atLeast(8) && !atLeast(15)) {
    wasDeprecationTold = true;
    process.emitWarning('Unhandled promise rejections are deprecated. In the future, promise rejections that are not handled ' +
                        'will terminate the Node.js process with a non-zero exit code.', 'DeprecationWarning', 'DEP0018');
  }
}

function warnOfLateHandler(number) {
  if (!atLeast(6)) return;
  const warning = new Error(`Promise rejection was handled asynchronously (rejection id: ${number})`);
  warning.name = 'PromiseRejectionHandledWarning';
  warning.id = number;
  native.process.emitWarning(warning);
}

module.exports = { noteEmitted, noteEmittedOther, reportFatal, reportUnsettled, unhandledRejection, warnOfLateHandler, warnOfRejection };
