// Uncaught exceptions and unhandled rejections: the window's events, and the console's lines (HTML standard, section 8.1.4.6 and 8.1.7.3).
'use strict';

const native = internalBinding;
const { ErrorEvent, PromiseRejectionEvent } = require('web/events');
const { dispatch, hooks, makeEvent } = require('web/event_target');
const { errorText } = require('web/console');
const { isException } = require('web/dom_exception');
const { isFirefox } = require('web/words');

const isError = (value) => isException(value) ||
  (typeof Error.isError === 'function' ? Error.isError(value) : Object.prototype.toString.call(value) === '[object Error]');

function textOf(value) {
  try {
    return String(value);
  } catch {
    return 'Object';
  }
}

// What stands behind "Uncaught", the console's line and the rejection's.
const describe = (value) => (isError(value) ? errorText(value) : textOf(value));

// The event's message. Firefox writes a value that is no error otherwise, and a colon behind the name of one that has no text.
function messageOf(value) {
  const text = describe(value);
  if (!isFirefox()) return `Uncaught ${text}`;
  if (!isError(value)) return `uncaught exception: ${text}`;
  return value.message === '' ? `${text}: ` : text;
}

// Where it was thrown, as its stack says.
function placeOf(value) {
  if (isError(value)) {
    const frame = `${value.stack ?? ''}`.split('\n').find((line) => /:\d+:\d+\)?$/.test(line) && !line.includes('web/')) ?? '';
    const found = /([^\s()@]+):(\d+):(\d+)\)?$/.exec(frame);
    if (found) return { filename: found[1], lineno: Number(found[2]), colno: Number(found[3]) };
  }
  return { filename: globalThis.location.href, lineno: 0, colno: 0 };
}

let isReporting = false;

// Fires the window's event, and prints when nobody prevents that. An exception in a listener of that event is only printed.
function fireError(message, fields, line = `Uncaught ${describe(fields.error)}`) {
  if (!isReporting) {
    isReporting = true;
    try {
      if (!dispatch(globalThis, makeEvent(ErrorEvent, 'error', { bubbles: isFirefox(), cancelable: true, message, ...fields }))) return;
    } finally {
      isReporting = false;
    }
  }
  native.print('error', line);
}

function reportException(error, isGiven = false) {
  // reportError() tells of a value that is no error where it was called.
  const place = isGiven !== true || isError(error) ? error : new Error();
  fireError(messageOf(error), { ...placeOf(place), error });
}
hooks.report = reportException;

// An error without an object.
function reportLoop(message) { fireError(message, { filename: globalThis.location.href, error: null }, message); }

function rejected(promise, reason) {
  if (!dispatch(globalThis, makeEvent(PromiseRejectionEvent, 'unhandledrejection', { cancelable: true, promise, reason }))) return;
  native.print('error', `Uncaught (in promise) ${describe(reason)}`);
}

function rejectionHandled(promise, reason) {
  dispatch(globalThis, makeEvent(PromiseRejectionEvent, 'rejectionhandled', { promise, reason }));
}

module.exports = { rejected, rejectionHandled, reportException, reportLoop };
