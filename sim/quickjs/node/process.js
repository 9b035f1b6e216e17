// The object `process` (lib/internal/process).
'use strict';

const native = internalBinding;
const { checkFunction } = require('internal/errors');
const EventEmitter = require('events');
const { output } = require('internal/stdio');
const virtualClock = require('internal/virtual_clock');
const { invalidArgType, outOfRange } = require('internal/validate');
const { atLeast } = require('internal/version');
const { emitWarning } = require('internal/warning');

// What hrtime() takes: a result of its own.
function checkTime(time) {
  if (!atLeast(10)) {
    if (!Array.isArray(time)) throw new TypeError('process.hrtime() only accepts an Array tuple');
  } else if (!Array.isArray(time)) {
    throw invalidArgType('time', 'Array', time);
  } else if (time.length !== 2) {
    throw outOfRange('time', 2, time.length);
  }
}

class Process extends EventEmitter {
  nextTick(callback, ...args) {
    checkFunction(callback, 'callback');
    native.nextTick(callback, ...args);
  }
  exit(code) { native.exit(code); }
  get exitCode() { return this._exitCode; }
  set exitCode(code) { native.setExitCode(code); this._exitCode = code; }
  hrtime(from) {
    const now = native.hrtime();
    let seconds = Math.floor(now / 1e9);
    let rest = now % 1e9;
    if (from !== undefined) {
      checkTime(from);
      seconds -= from[0];
      rest -= from[1];
      if (rest < 0) { seconds--; rest += 1e9; }
    }
    return [seconds, rest];
  }
  uptime() { return native.hrtime() / 1e9; }
  cwd() { return '/usr/src/app'; }
  chdir(folder) { virtualClock.command(String(folder)); }
  kill(pid, signal = 'SIGTERM') { return native.kill(this, signal); }
  reallyExit(code) { native.exit(code); }
  memoryUsage() { return { rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }; }
  emitWarning(warning, type, code, ctor) { emitWarning(warning, type, code, ctor); }
}
Process.prototype.hrtime.bigint = () => BigInt(native.hrtime());
const process = new Process();
// Packages know Node by "[object process]".
Object.defineProperty(process, Symbol.toStringTag, { value: 'process', writable: true, enumerable: false, configurable: false });
for (const [name, fd] of [['stdout', 1], ['stderr', 2]]) {
  Object.defineProperty(process, name, { get() { return output(fd); }, enumerable: true, configurable: true });
}
Object.defineProperty(process, '_exitCode', { value: undefined, writable: true, configurable: true });
native.process = process;

module.exports = process;
