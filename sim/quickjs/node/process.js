// The object `process` (lib/internal/process). What it tells of itself: internal/process_members.js.
'use strict';

const native = internalBinding;
const { checkFunction } = require('internal/errors');
const EventEmitter = require('events');
const { emitWarning } = require('internal/warning');

class process extends EventEmitter {
  nextTick(callback, ...args) {
    checkFunction(callback, 'callback');
    native.nextTick(callback, ...args);
  }
  exit(code) { native.exit(code); }
  get exitCode() { return this._exitCode; }
  set exitCode(code) { native.setExitCode(code); this._exitCode = code; }
  emitWarning(warning, type, code, ctor) { emitWarning(warning, type, code, ctor); }
}
const theProcess = new process();
Object.defineProperty(theProcess, '_exitCode', { value: undefined, writable: true, configurable: true });
native.process = theProcess;

module.exports = theProcess;
