// ChildProcess (lib/internal/child_process.js), over a process that runs nothing: internal/commands.js says what it does.
'use strict';

const native = internalBinding;
const EventEmitter = require('events');
const { find } = require('internal/commands');
const { belowOf, makePipe } = require('internal/handles');
const { errnoException } = require('internal/net_address');
const { signals } = require('internal/signals');
const { internalTick } = require('internal/ticks');
const { atLeast, has } = require('internal/version');
const { invalidArgType, invalidArgValue, validateObject, validateString } = require('internal/validate');
const { makeNodeError } = require('internal/errors');
const { apply } = Reflect;
const letter = (word) => word.charCodeAt(0);
const kKill = letter('k');
const kClose = letter('c');
const kRef = letter('r');
const kUnref = letter('u');

const open = new Map();  // by the engine's objects
const kNoEntry = -2;     // UV_ENOENT
const kNoProcess = -3;   // UV_ESRCH
let nextPid = 1;

let tell;

// Process of src/process_wrap.cc.
class Process {
  #below;  // the engine's object; undefined: it was not started, or is closed
  #context = native.asyncContext();
  #isReferenced = true;

  // `result`: undefined: there is no such command.
  spawn(result, stdio) {
    const pipes = [0, 1, 2].map((i) => (stdio[i]?.handle === undefined ? undefined : belowOf(stdio[i].handle)));
    const texts = [1, 2].map((i) => (stdio[i]?.type === 'pipe' ? result?.[i === 1 ? 'stdout' : 'stderr'] ?? '' : ''));
    this.#below = native.childStart(result?.time ?? -1, result?.code ?? 0, signals[result?.signal] ?? 0, pipes[0], pipes[1],
                                    texts[0], pipes[2], texts[1]);
    open.set(this.#below, this);
    if (result === undefined) return kNoEntry;
    this.pid = native.process.pid + nextPid++;
    return 0;
  }
  kill(signal) { return this.#below !== undefined && native.childMethod(this.#below, kKill, signal) ? 0 : kNoProcess; }
  close() {
    if (this.#below === undefined) return;
    native.childMethod(this.#below, kClose, 0);
    open.delete(this.#below);
    this.#below = undefined;
  }
  ref() {
    this.#isReferenced = true;
    if (this.#below !== undefined) native.childMethod(this.#below, kRef, 0);
  }
  unref() {
    this.#isReferenced = false;
    if (this.#below !== undefined) native.childMethod(this.#below, kUnref, 0);
  }
  hasRef() { return this.#below !== undefined && this.#isReferenced; }

  static {
    tell = (below, code, signal) => {
      const handle = open.get(below);
      if (handle === undefined) return;
      native.asyncContext(handle.#context);
      handle.onexit(code, signal);
    };
  }
}

function nameOf(number) { return Object.keys(signals).find((name) => signals[name] === number) ?? ''; }
function report(below, code, signal) { tell(below, code, nameOf(signal)); }

function ChildProcess() {
  apply(EventEmitter, this, []);
  this._closesNeeded = 1;
  this._closesGot = 0;
  this.connected = false;
  this.signalCode = null;
  this.exitCode = null;
  this.killed = false;
  this.spawnfile = null;
  this._handle = new Process();
  this._handle.onexit = (exitCode, signalCode) => {
    if (signalCode) this.signalCode = signalCode;
    else this.exitCode = exitCode;
    if (this.stdin) this.stdin.destroy();
    this._handle.close();
    this._handle = null;
    if (exitCode < 0) {
      const error = spawnError(this.spawnfile ? `spawn ${this.spawnfile}` : 'spawn');
      if (this.spawnfile) error.path = this.spawnfile;
      error.spawnargs = this.spawnargs.slice(1);
      this.emit('error', error);
    } else {
      printInherited(this);
      this.emit('exit', this.exitCode, this.signalCode);
    }
    internalTick(flushStdio, this);
    maybeClose(this);
  };
}
Object.setPrototypeOf(ChildProcess.prototype, EventEmitter.prototype);
Object.setPrototypeOf(ChildProcess, EventEmitter);

function spawnError(call) { return errnoException('ENOENT', call); }

const inherited = new WeakMap();  // what a child prints on this process's own standard output and error
function printInherited(child) {
  if (child.signalCode !== null && child.killed) return;
  const { stdout = '', stderr = '' } = inherited.get(child) ?? {};
  if (stdout !== '') native.write(stdout, false);
  if (stderr !== '') native.write(stderr, true);
}

function flushStdio(child) {
  const { stdio } = child;
  if (stdio == null) return;
  for (const stream of stdio) if (stream && stream.readable) stream.resume();
}

function maybeClose(child) {
  child._closesGot++;
  if (child._closesGot === child._closesNeeded) child.emit('close', child.exitCode, child.signalCode);
}

function onErrorNT(child, error) { child._handle?.onexit(error); }
function onSpawnNT(child) { child.emit('spawn'); }

const kWords = ['pipe', 'overlapped', 'ignore', 'inherit', 'ipc'];

function validStdio(stdio) {
  if (typeof stdio === 'string') {
    if (!kWords.slice(0, 4).includes(stdio)) throw invalidArgValue('stdio', stdio);
    stdio = [stdio, stdio, stdio];
  } else if (!Array.isArray(stdio)) {
    throw invalidArgValue('stdio', stdio);
  }
  const list = [...stdio];
  while (list.length < 3) list.push(undefined);
  return list.map((item, i) => {
    item ??= i < 3 ? 'pipe' : 'ignore';
    if (item === 'ignore') return { type: 'ignore' };
    if (item === 'pipe' || item === 'overlapped') return { type: 'pipe', handle: i < 3 ? makePipe() : undefined };
    if (item === 'inherit') return { type: 'inherit', fd: i };
    if (item === 'ipc') throw makeNodeError(Error, 'ERR_LOOPSIM_NO_IPC', 'loopsim runs no child that one could send messages to');
    if (typeof item === 'number') return { type: 'inherit', fd: item };
    if (typeof item === 'object' && item !== null) return { type: 'inherit', fd: item.fd ?? -1 };
    throw invalidArgValue('stdio', item);
  });
}

ChildProcess.prototype.spawn = function spawn(options) {
  validateObject(options, 'options');
  const stdio = options.stdio = validStdio(options.stdio || 'pipe');
  validateString(options.file, 'options.file');
  this.spawnfile = options.file;
  if (options.args === undefined) this.spawnargs = [];
  else if (Array.isArray(options.args)) this.spawnargs = options.args;
  else throw invalidArgType('options.args', 'Array', options.args);
  const result = find(options.file, this.spawnargs.slice(1).map(String));
  const error = this._handle.spawn(result, stdio);
  if (error !== 0) internalTick(onErrorNT, this, error);
  else if (has('15.1 14.17')) internalTick(onSpawnNT, this);
  this.pid = this._handle.pid;
  if (result !== undefined) {
    const shown = {};
    for (const i of [1, 2]) {
      const { type, fd } = stdio[i];
      const text = i === 1 ? result.stdout : result.stderr;
      if (type !== 'inherit' || text === '' || (fd !== 1 && fd !== 2)) continue;
      const name = fd === 1 ? 'stdout' : 'stderr';
      shown[name] = (shown[name] ?? '') + text;
    }
    inherited.set(this, shown);
  }
  const { Socket } = require('internal/net_module').netOfVersion();
  this.stdio = stdio.map(({ type, handle }, i) => {
    if (type !== 'pipe' || handle === undefined) return null;
    const socket = new Socket({ handle, readable: i > 0 });
    if (i > 0) {
      this._closesNeeded++;
      socket.on('close', () => { maybeClose(this); });
    }
    return socket;
  });
  [this.stdin, this.stdout, this.stderr] = this.stdio;
  return error;
};

function signalOf(signal) {
  if (signal === 0) return 0;
  const number = typeof signal === 'number' ? signal : signals[String(signal).toUpperCase()];
  if (nameOf(number) !== '') return number;
  throw makeNodeError(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${signal}`);
}

ChildProcess.prototype.kill = function kill(sig) {
  const signal = signalOf(sig === undefined ? 'SIGTERM' : sig);
  if (!this._handle || this._handle.kill(signal) !== 0) return false;
  this.killed = true;
  return true;
};
ChildProcess.prototype.ref = function ref() { if (this._handle) this._handle.ref(); };
ChildProcess.prototype.unref = function unref() { if (this._handle) this._handle.unref(); };

function start() {
  native.watchChildren(report);
  if (!has('20.5 18.18')) return;
  Object.defineProperty(ChildProcess.prototype, Symbol.dispose, {
    __proto__: null, value() { if (!this.killed) this.kill(); }, writable: true, enumerable: true, configurable: true,
  });
}

module.exports = { ChildProcess, find, signalOf, spawnError, start };
