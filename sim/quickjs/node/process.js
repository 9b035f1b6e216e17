// The object `process` (lib/internal/process). What it tells of itself: internal/process_members.js.
'use strict';

const native = internalBinding;
const EventEmitter = require('events');
const { noteKind } = require('internal/own_places');
const { validateCallback } = require('internal/validate');
const { atLeast } = require('internal/version');
const { emitWarning } = require('internal/warning');

function callNothing() { throw noteKind(new TypeError('callback is not a function'), 'runTick'); }

class process extends EventEmitter {
  nextTick(callback, ...args) {
    // Node 4 takes what is no function, and calls it.
    if (typeof callback === 'function' || atLeast(6)) validateCallback(callback, 'nextTick');
    else callback = callNothing;
    native.nextTick(callback, ...args);
  }
  exit(code) {
    if (atLeast(20) ? arguments.length > 0 : code || code === 0) this.exitCode = code;
    native.exit(this.exitCode || 0, false);
    this.reallyExit(this.exitCode || 0);
  }
  get exitCode() { return this._exitCode; }
  set exitCode(code) {
    native.setExitCode(code);
    this._exitCode = atLeast(22) ? code == null ? undefined : code | 0 : code;
  }
}
const theProcess = new process();
const { emitWarning: value } = { emitWarning(warning, type, code, ctor) { emitWarning(warning, type, code, ctor); } };
Object.defineProperty(theProcess, 'emitWarning', { value, writable: true, configurable: true });
Object.defineProperty(theProcess, '_exitCode', { value: undefined, writable: true, configurable: true });
native.process = theProcess;

module.exports = theProcess;
