// What `process` tells of itself (lib/internal/process/per_thread.js, lib/internal/bootstrap/node.js).
'use strict';

const native = internalBinding;
const { makeNodeError } = require('internal/errors');
const { credentials } = require('internal/credentials');
const { makeEnvironment } = require('internal/environment');
const volume = require('internal/fs/volume');
const { activeHandles } = require('internal/handles');
const { allowedFlags } = require('internal/node_options');
const { readOptions } = require('internal/options');
const { signals } = require('internal/signals');
const { uvException } = require('internal/uv_errors');
const { activeRequests } = require('internal/work');
const { atLeast, has } = require('internal/version');
const { invalidArgType, invalidArgValue, outOfRange, validateBoolean, validateObject, validateString } = require('internal/validate');

const kFolder = '/usr/src/app';

// ---- time and resources ----------------------------------------------------------------------------------------------------

function hrtime(from) {
  const now = native.hrtime();
  let seconds = Math.floor(now / 1e9);
  let rest = now % 1e9;
  if (from !== undefined) {
    if (atLeast(10)) {
      if (!Array.isArray(from)) throw invalidArgType('time', 'Array', from);
      if (from.length !== 2) throw outOfRange('time', 2, from.length);
    } else if (!Array.isArray(from)) {
      throw new TypeError('process.hrtime() only accepts an Array tuple');
    }
    seconds -= from[0];
    rest -= from[1];
    if (rest < 0) { seconds--; rest += 1e9; }
  }
  return [seconds, rest];
}
hrtime.bigint = function bigint() { return BigInt(native.hrtime()); };

function checkUsage(previous) {
  if (previous === undefined || previous === null || previous === 0 || previous === '') return;
  validateObject(previous, 'prevValue');
  for (const key of ['user', 'system']) {
    const value = previous[key];
    if (typeof value !== 'number') throw invalidArgType(`prevValue.${key}`, 'number', value);
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) throw withBase(RangeError, invalidArgValue(`prevValue.${key}`, value));
  }
}

// The same error as one of another class.
function withBase(Base, { code, message }) { return makeNodeError(Base, code, message); }

// The time that the thread has not waited in the poll, in microseconds; the simulated machine has no time of the kernel.
function cpuUsage(previous) {
  checkUsage(previous);
  const [now, idle] = native.loopTimes();
  const user = Math.floor((now - idle) / 1000);
  return previous ? { user: user - previous.user, system: -previous.system || 0 } : { user, system: 0 };
}

function threadCpuUsage(previous) { return cpuUsage(previous); }

function resourceUsage() {
  const { user: userCPUTime } = cpuUsage();
  return {
    userCPUTime, systemCPUTime: 0, maxRSS: Math.ceil(memoryUsage().rss / 1024), sharedMemorySize: 0, unsharedDataSize: 0,
    unsharedStackSize: 0, minorPageFault: 0, majorPageFault: 0, swappedOut: 0, fsRead: 0, fsWrite: 0, ipcSent: 0, ipcReceived: 0,
    signalsCount: 0, voluntaryContextSwitches: 0, involuntaryContextSwitches: 0,
  };
}

const kMebibyte = 1 << 20;

// The engine's memory stands for V8's heap.
function memoryUsage() {
  const heapTotal = native.memorySize();
  const usage = { rss: heapTotal + 40 * kMebibyte, heapTotal, heapUsed: heapTotal, external: kMebibyte, arrayBuffers: 16384 };
  if (!atLeast(13)) delete usage.arrayBuffers;
  if (!atLeast(8)) delete usage.external;
  return usage;
}
memoryUsage.rss = function rss() { return memoryUsage().rss; };

function getActiveResourcesInfo() {
  const [timers, immediates] = native.activeResources();
  const requests = activeRequests().map((request) => request.constructor.name);
  const handles = activeHandles().map((handle) => handle.getTypeName());
  return [...requests, ...handles, ...Array(timers).fill('Timeout'), ...Array(immediates).fill('Immediate')];
}

function _getActiveHandles() { return activeHandles().map((handle) => handle.owner ?? handle); }
function _getActiveRequests() { return activeRequests(); }

// ---- the process in its system -----------------------------------------------------------------------------------------------

let mask = 0o22;

function umask(given) {
  const before = mask;
  if (given === undefined) return before;
  let value = given;
  if (typeof given === 'string') {
    if (!/^[0-7]+$/.test(given)) throw invalidArgValue('mask', given, 'must be a 32-bit unsigned integer or an octal string');
    value = parseInt(given, 8);
  }
  if (typeof value !== 'number') throw invalidArgType('mask', 'number', given);
  if (!Number.isInteger(value)) throw outOfRange('mask', 'an integer', given);
  if (value < 0 || value > 2 ** 32 - 1) throw outOfRange('mask', '>= 0 && <= 4294967295', given);
  mask = value & 0o777;
  return before;
}

let folder = kFolder;

function cwd() { return folder; }

function chdir(directory) {
  validateString(directory, 'directory');
  if (require('internal/virtual_clock').command(directory)) return;
  const path = require('path').resolve(folder, directory);
  const node = volume.peek(path);
  if (node === undefined || !volume.isFolder(node)) {
    const code = node === undefined ? 'ENOENT' : 'ENOTDIR';
    throw atLeast(12) ? uvException(code, 'chdir', folder, directory) : uvException(code, 'chdir', directory);
  }
  folder = path;
}

function systemError(code, errno, call) {
  const error = new Error(`${call} ${code}`);
  error.errno = atLeast(14) ? errno : code;
  error.code = code;
  error.syscall = call;
  return error;
}

// What loopsim cannot do of signals without a listener: the process stops, or the debugger starts. SIGXFSZ does nothing since Node 12.
const kStops = /^SIG(?:STOP|TSTP|TTIN|TTOU)$/;
function isIgnored(signal) {
  const name = Object.keys(signals).find((one) => signals[one] === signal);
  const isStop = kStops.test(name);
  if (!isStop && name !== 'SIGUSR1' && name !== 'SIGXFSZ') return false;
  if (apply(listenerCount, native.process, [name]) > 0) return false;
  if (isStop) {
    const why = `loopsim stops no process: ${name} would stop this one until another sends it a SIGCONT`;
    throw makeNodeError(Error, 'ERR_LOOPSIM_NO_STOP', why);
  }
  if (name === 'SIGUSR1') {
    throw makeNodeError(Error, 'ERR_LOOPSIM_NO_DEBUGGER', 'loopsim has no debugger, which Node starts at a SIGUSR1 that nobody listens to');
  }
  return name === 'SIGXFSZ' && atLeast(12);
}

// 0, or a negative number of an error.
function _kill(pid, signal) {
  const { process } = native;
  if (signal !== 0 && !Object.values(signals).includes(signal)) return -22;
  if (pid !== process.pid && pid !== 0 && pid !== -1) return -3;
  if (signal !== 0 && !isIgnored(signal)) native.kill(process, signal);
  return 0;
}

function kill(pid, signal) {
  if (pid != (pid | 0)) throw invalidArgType('pid', 'number', pid);  // eslint-disable-line eqeqeq
  let number = signal === undefined ? 'SIGTERM' : signal;
  if (typeof number !== 'number' || !Number.isInteger(number)) {
    if (signals[number] === undefined) throw makeNodeError(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${number}`);
    number = signals[number];
  }
  const result = this._kill(pid | 0, number);
  if (result) throw systemError(result === -3 ? 'ESRCH' : 'EINVAL', result, 'kill');
  return true;
}

// ---- uncaught exceptions -----------------------------------------------------------------------------------------------------

let captureFunction = null;

function setUncaughtExceptionCaptureCallback(fn) {
  if (fn === null) {
    captureFunction = null;
    native.setCaptures(false);
    return;
  }
  if (typeof fn !== 'function') throw invalidArgType('fn', ['Function', 'null'], fn);
  if (captureFunction !== null) {
    throw makeNodeError(Error, 'ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET',
                        '`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active');
  }
  captureFunction = fn;
  native.setCaptures(true);
}

function hasUncaughtExceptionCaptureCallback() { return captureFunction !== null; }

const { apply } = Reflect;
const { emit: ownEmit, listenerCount } = require('events').prototype;

// A signal is told in the asynchronous context of when the first listener came, and since Node 10 by the emit() of then.
const signalWraps = new Map();
function beginSignal(event) {
  if (event === 'SIGKILL' || event === 'SIGSTOP') throw systemError('EINVAL', -22, 'uv_signal_start');
  if (signals[event] !== undefined && !signalWraps.has(event)) {
    signalWraps.set(event, { emit: atLeast(10) ? native.process.emit : undefined, context: native.asyncContext() });
  }
}
function endSignal(event) {
  if (signalWraps.has(event) && native.process.listenerCount(event) === 0) signalWraps.delete(event);
}

function emitSignal(wrap, args) {
  native.asyncContext(wrap.context);
  try {
    return apply(wrap.emit ?? native.process.emit, native.process, args);
  } finally {
    if (!atLeast(24)) wrap.context = native.asyncContext();
  }
}

// What Node calls for an event of `process` that it makes itself: whether somebody has heard it.
function emitOfNode(event, ...args) {
  const { process } = native;
  const signal = signalWraps.get(event);
  if (signal !== undefined) return emitSignal(signal, [event, ...atLeast(10) ? args : args.slice(0, 1)]);
  if (event === 'uncaughtException') {
    if (captureFunction !== null) {
      captureFunction(args[0]);
      return true;
    }
  }
  if (event === 'uncaughtExceptionMonitor' && !has('13.7 12.17')) return false;
  if (event === 'exit') process._exitCode = native.ownExitCode() ?? process._exitCode;
  return process.emit(event, ...args);
}

// What the capturing function throws at a failure of the main module (lib/internal/process/esm_loader.js, loadESM).
async function failLoading(error) { throw error; }

// Not 0: emitOfNode() is called. The program's own emit() is, whether there are listeners or not.
function countOfNode(event) {
  const { process } = native;
  if (event === 'uncaughtException' && captureFunction !== null) return 1;
  if (signalWraps.has(event)) return apply(listenerCount, process, [event]);
  return process.emit === ownEmit ? apply(listenerCount, process, [event]) : 1;
}

// ---- the version ---------------------------------------------------------------------------------------------------------------

// By major version: V8, the number of the ABI, the name of the line with long-time support.
const kReleases = {
  4: ['4.5.103.53', '46', 'Argon'], 6: ['5.1.281.111', '48', 'Boron'], 8: ['6.2.414.78', '57', 'Carbon'],
  10: ['6.8.275.32-node.59', '64', 'Dubnium'], 11: ['7.0.276.38-node.19', '67'], 12: ['7.8.279.23-node.57', '72', 'Erbium'],
  14: ['8.4.371.23-node.88', '83', 'Fermium'], 16: ['9.4.146.26-node.26', '93', 'Gallium'],
  18: ['10.2.154.26-node.39', '108', 'Hydrogen'], 20: ['11.3.244.8-node.38', '115', 'Iron'],
  22: ['12.4.254.21-node.57', '127', 'Jod'], 24: ['13.6.233.17-node.53', '137', 'Krypton'], 26: ['14.6.202.34-node.34', '147'],
};

function featuresOf() {
  return {
    ...atLeast(11) && { inspector: true },
    debug: false, uv: true, ipv6: true, ...!atLeast(10) && { tls_npn: true }, tls_alpn: true, tls_sni: true, tls_ocsp: true, tls: true,
    ...atLeast(22) && { openssl_is_boringssl: false }, ...atLeast(12) && { cached_builtins: true },
    ...atLeast(20) && { require_module: true }, ...atLeast(26) && { dtls: false }, ...atLeast(24) && { quic: false },
    ...atLeast(22) && { typescript: 'strip' },
  };
}

function releaseOf(release, line) {
  const address = `https://nodejs.org/download/release/v${release}/node-v${release}`;
  return { name: 'node', ...line && { lts: line }, sourceUrl: `${address}.tar.gz`, headersUrl: `${address}-headers.tar.gz` };
}

// ---- all of it -------------------------------------------------------------------------------------------------------------------

// [member, since]: where it is missing, it is there from the first version on.
// Those of Node's bindings that a program may ask for, of those that are here.
const kBindings = new Set(['buffer', 'config', 'constants', 'util', 'uv']);
const members = [
  [hrtime, '4'], [cpuUsage, '4'], [memoryUsage, '4'], [umask, '4'], [cwd, '4'], [chdir, '4'], [kill, '4'], [_kill, '4'],
  [resourceUsage, '12.6'], [threadCpuUsage, '22.19'], [getActiveResourcesInfo, '16.14'],
  [setUncaughtExceptionCaptureCallback, '9.3'], [hasUncaughtExceptionCaptureCallback, '9.3'],
  [function constrainedMemory() { return 0; }, '18.15'],
  [function availableMemory() { return 2 ** 31; }, '20.13'],
  [function uptime() { return native.hrtime() / 1e9; }, '4'],
  [function reallyExit(code) { native.exit(code, true); }, '4'],
  [{ abort() { native.kill(native.process, signals.SIGABRT, true); } }.abort, '4'],  // no constructor
  [function _rawDebug(...args) { native.print(require('util').format(...args), true); }, '4'],
  [function setSourceMapsEnabled(value) { validateBoolean(value, 'val'); }, '14.18'],
  [function binding(module) {
    const name = String(module);
    if (kBindings.has(name)) return require('internal/bindings/index').bindingOf(name);
    if (atLeast(10)) throw makeNodeError(Error, 'ERR_INVALID_MODULE', `No such module: ${name}`);
    throw new Error(`No such module: ${name}`);
  }, '4'],
  [function getBuiltinModule(id) {
    validateString(id, 'id');
    const { builtins } = require('internal/modules');
    const name = id.replace(/^node:/, '');
    return Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  }, '20.16'],
  [function ref(maybe) {
    const fn = maybe?.[Symbol.for('nodejs.ref')] ?? maybe?.[Symbol.for('node:ref')] ?? maybe?.ref;
    if (typeof fn === 'function') Reflect.apply(fn, maybe, []);
  }, '22.14'],
  [function unref(maybe) {
    const fn = maybe?.[Symbol.for('nodejs.unref')] ?? maybe?.[Symbol.for('node:unref')] ?? maybe?.unref;
    if (typeof fn === 'function') Reflect.apply(fn, maybe, []);
  }, '22.14'],
  [_getActiveHandles, '4'], [_getActiveRequests, '4'],
  ...credentials.map((member) => [member, '4']),
];

function install(process, facts) {
  const define = (name, value, more) => Object.defineProperty(process, name, {
    value, writable: true, enumerable: true, configurable: true, ...more,
  });
  for (const [member, since] of members) {
    if (has(since)) define(member.name, member);
  }
  if (!has('10.7')) hrtime.bigint = undefined;
  if (!has('15.6 14.18')) memoryUsage.rss = undefined;
  const [v8, modules, line] = kReleases[facts.major];
  define('version', `v${facts.release}`, { writable: false });
  define('versions', Object.freeze({ node: facts.release, v8, uv: facts.uv, modules }), { writable: false });
  define('release', releaseOf(facts.release, line));
  define('features', featuresOf());
  define('config', { target_defaults: { cflags: [], default_configuration: 'Release' }, variables: { napi_build_version: '9' } });
  define('argv', ['/usr/local/bin/node', `${kFolder}/${facts.file}`]);
  define('execArgv', []);
  define('execPath', '/usr/local/bin/node');
  if (atLeast(6)) define('argv0', 'node');
  define('env', makeEnvironment(facts.environment));
  define('title', 'node');
  define('platform', 'linux');
  define('arch', 'x64');
  define('pid', 1);
  if (atLeast(6)) define('ppid', 0);
  define('debugPort', 9229);
  Object.defineProperty(process, '_exiting', {
    get: () => native.isExiting(), set() {}, enumerable: true, configurable: true,
  });
  if (has('10.10')) {
    let flags;
    Object.defineProperty(process, 'allowedNodeEnvironmentFlags', {
      get() { return flags ??= allowedFlags(); }, enumerable: true, configurable: true,
    });
  }
  if (has('18.19')) Object.defineProperty(process, 'sourceMapsEnabled', { get: () => false, enumerable: true, configurable: true });
  Object.defineProperty(process, Symbol.toStringTag, { value: 'process', configurable: true, enumerable: false, writable: false });
  readOptions(facts.environment.NODE_OPTIONS);
}

module.exports = { beginSignal, countOfNode, endSignal, emitOfNode, failLoading, install };
