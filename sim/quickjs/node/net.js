// net (lib/net.js): servers and sockets on the simulated network, which is the machine's own addresses.
//
// A Socket is a Duplex over a handle (internal/handles.js), as Node's is; the versions differ in how a socket ends. Until Node 8 an
// event of its own, '_socketEnd', comes before 'end'; in 10 to 14 a listener of 'end' ends and destroys it; since 16 the streams do.
'use strict';

const native = internalBinding;
const EventEmitter = require('events');
const timers = require('timers');
const { Timeout } = require('internal/timers');
const { makeNodeError } = require('internal/errors');
const { BlockList, SocketAddress, blockListOf, blockedError, isBlocked, restrictBlockList } = require('internal/blocklist');
const volume = require('internal/fs/volume');
const { Pipe, TCP, start: startHandles } = require('internal/handles');
const {
  errnoException, exceptionWithAddress, isIP, isIPv4, isIPv6, isLoopback, listenException, validateHints, validatePort,
} = require('internal/net_address');
const { beginEntry, endEntry } = require('internal/performance_entries');
const { current } = require('internal/streams');
const { internalTick } = require('internal/ticks');
const {
  abortErrorOf, invalidArgType, invalidArgValue, outOfRange, validateAbortSignal, validateBoolean, validateFunction, validateInteger,
  validateNumber, validateString,
} = require('internal/validate');
const work = require('internal/work');
const { atLeast, has, removeAbsent } = require('internal/version');
const { Buffer } = require('buffer');

const { apply } = Reflect;
const { refresh } = Timeout.prototype;  // which some versions keep from the program
const kTimeout = Symbol('timeout');
const kLabel = Symbol('kLabel');
const kOnRead = Symbol('kBuffer');
const kAddress = Symbol('kAddress');
const kConnectEntry = Symbol('kPerfHooksNetConnectContext');
const kTypeOfService = Symbol('kSetTOS');
const kSocketFile = Symbol('kSocketFile');
const kWriteRequest = Symbol('kWriteRequest');
const kUnread = Symbol('kUnread');
const kNoDelay = Symbol('kSetNoDelay');
const kKeepAlive = Symbol('kSetKeepAlive');
const kKeepAliveDelay = Symbol('kSetKeepAliveInitialDelay');
const noop = () => {};

const duplex = () => current().Duplex.prototype;

// Before Node 10 without a code.
function makeError(Base, code, message) {
  return atLeast(10) ? makeNodeError(Base, code, message) : new Base(message);
}

function closedError() {
  return makeError(Error, 'ERR_SOCKET_CLOSED', !atLeast(6) ? 'This socket is closed.' : !atLeast(10) ? 'This socket is closed' :
    'Socket is closed');
}

// ---- arguments ------------------------------------------------------------------------------------------------------------

const kNormalized = Symbol('normalizedArgs');

function isPipeName(name) { return typeof name === 'string' && !(Number(name) >= 0 && name.trim() !== ''); }

// [options, callback] of connect() and listen().
function normalizeArgs(args) {
  let options = {};
  if (args.length > 0) {
    const [first] = args;
    if (typeof first === 'object' && first !== null) options = first;
    else if (isPipeName(first)) options.path = first;
    else {
      options.port = first;
      if (args.length > 1 && typeof args[1] === 'string') [, options.host] = args;
    }
  }
  const callback = args[args.length - 1];
  const result = [options, args.length > 0 && typeof callback === 'function' ? callback : null];
  result[kNormalized] = true;
  return result;
}

// ---- Socket ---------------------------------------------------------------------------------------------------------------

function initHandle(socket) {
  if (atLeast(10) && socket.destroyed && typeof socket._undestroy === 'function') socket._undestroy();
  if (!atLeast(10)) socket.destroyed = false;
  socket._sockname = null;
  const handle = socket._handle;
  if (!handle) return;
  handle.owner = socket;
  handle.onread = (bytes, error) => onRead(socket, handle, bytes, error);
  handle.onshutdown = undefined;
  handle.onwritten = (error) => onWritten(socket, error);
}

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  if (options?.objectMode) throw invalidArgValue('options.objectMode', options.objectMode, 'is not supported');
  if (options?.readableObjectMode || options?.writableObjectMode) {
    throw invalidArgValue(`options.${options.readableObjectMode ? 'readableObjectMode' : 'writableObjectMode'}`,
                          options.readableObjectMode || options.writableObjectMode, 'is not supported');
  }
  if (options?.keepAliveInitialDelay !== undefined && atLeast(18)) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options = { ...options, keepAliveInitialDelay: 0 };
  }
  options = typeof options === 'number' ? { fd: options } : { ...options };
  const { allowHalfOpen } = options;
  this.connecting = false;
  this._hadError = false;
  this._handle = null;
  this._parent = null;
  this._host = null;
  Object.defineProperty(this, kTimeout, { value: null, writable: true, configurable: true });
  Object.defineProperty(this, kLabel, { value: kLabel in options ? undefined : native.variable(), configurable: true });
  if (!atLeast(16)) options.autoDestroy = false;
  if (atLeast(10)) {
    options.allowHalfOpen = atLeast(16) ? Boolean(allowHalfOpen) : true;
    options.emitClose = false;
  }
  options.decodeStrings = false;
  apply(current().Duplex, this, [options]);
  this.allowHalfOpen = Boolean(allowHalfOpen);
  if (atLeast(10)) {
    this.on('end', onReadableStreamEnd);
  } else {
    if (!atLeast(8)) this.on('finish', onSocketFinish);
    this.on('_socketEnd', onSocketEnd);
    this.destroyed = false;
  }
  const { onread } = options;
  if (onread !== null && typeof onread === 'object' && (ArrayBuffer.isView(onread.buffer) || typeof onread.buffer === 'function') &&
      typeof onread.callback === 'function' && atLeast(12)) {
    Object.defineProperty(this, kOnRead, { value: onread });
    this.readableFlowing;
  }
  if (options.handle) {
    this._handle = options.handle;
  } else if (options.fd !== undefined) {
    const { fd } = options;
    if (atLeast(12)) validateInteger(fd, 'fd', 0, 2 ** 31 - 1);
    throw makeError(TypeError, 'ERR_INVALID_FD_TYPE', 'Unsupported fd type: UNKNOWN');
  } else if (!atLeast(14)) {
    this.readable = this.writable = false;  // until there is a connection
  }
  initHandle(this);
  this._pendingData = null;
  this._pendingEncoding = '';
  this.server = null;
  this._server = null;
  if (options.noDelay && atLeast(18)) this[kNoDelay] = Boolean(options.noDelay);
  if (options.keepAlive && atLeast(18)) {
    this[kKeepAlive] = Boolean(options.keepAlive);
    this[kKeepAliveDelay] = ~~(options.keepAliveInitialDelay / 1000);
  }
  if (options.typeOfService !== undefined && atLeast(24)) {
    validateInteger(options.typeOfService, 'options.typeOfService', 0, 255);
    this[kTypeOfService] = options.typeOfService;
  }
  if (options.signal && atLeast(16)) addSignal(this, options.signal);
  if (this._handle && options.readable !== false && !options.manualStart) {
    if (!atLeast(14)) this.readable = true;
    if (options.pauseOnCreate) {
      // Stops the handle, and the stream: reading begins with resume().
      this._handle.reading = false;
      this._handle.readStop();
      this._readableState.flowing = false;
    } else {
      this.read(0);
    }
  }
}

function addSignal(socket, signal) {
  validateAbortSignal(signal, 'options.signal');
  if (signal.aborted) {
    internalTick(() => socket.destroy(abortErrorOf(signal)));
    return;
  }
  // The Duplex's listener destroys the socket; from Node 20 on there is one more, a tick later.
  if (atLeast(20)) internalTick(noteAbort, socket, signal);
}

function noteAbort(socket, signal) {
  signal.addEventListener('abort', () => { socket._aborted = true; }, { once: true });
}

// ---- reading ----

// onStreamRead(): bytes, or null at the end of file or of an error.
function onRead(socket, handle, bytes, error) {
  socket._unrefTimer();
  if (bytes !== null) {
    if (socket.destroyed && atLeast(12)) return;
    const more = socket[kOnRead] ? giveTo(socket, socket[kOnRead], bytes) : socket.push(bytes);
    if (more || socket._handle !== handle) return;
    handle.reading = false;
    if (!socket.destroyed) handle.readStop();
    return;
  }
  // The attempt to read for which there is nothing but the end.
  if (typeof socket[kOnRead]?.buffer === 'function') socket[kOnRead].buffer();
  if (error !== undefined) {
    socket.destroy(errnoException(error, 'read'));
    return;
  }
  if (atLeast(10)) {
    if (socket._readableState.endEmitted) {
      if (!atLeast(12)) maybeDestroy(socket);
      return;
    }
    socket.push(null);
    socket.read(0);
    return;
  }
  socket.push(null);
  if (socket._readableState.length === 0) {
    socket.readable = false;
    maybeDestroy(socket);
  }
  socket.emit('_socketEnd');
}

// The program's own buffer (options.onread): as much at a time as it takes.
function giveTo(socket, { buffer, callback }, bytes) {
  for (let from = 0; from < bytes.length;) {
    const into = typeof buffer === 'function' ? buffer() : buffer;
    const part = bytes.subarray(from, from + into.byteLength);
    new Uint8Array(into.buffer, into.byteOffset, into.byteLength).set(part);
    from += part.length;
    const wantsMore = apply(callback, socket, [part.length, into]) !== false;
    if (!wantsMore || !socket._handle?.reading) {
      if (from < bytes.length) socket[kUnread] = bytes.subarray(from);
      return false;
    }
  }
  return true;
}

function startReading(socket) {
  const unread = socket[kUnread];
  if (unread !== undefined) {
    socket[kUnread] = undefined;
    internalTick(readAgain, socket, unread);
  }
  socket._handle.reading = true;
  socket._handle.readStart();
}

// What was behind a part of which the program wanted no more.
function readAgain(socket, unread) {
  if (socket._handle) onRead(socket, socket._handle, unread, undefined);
}

// Until Node 8: the end has been read.
function onSocketEnd() {
  this._readableState.ended = true;
  if (this._readableState.endEmitted) {
    this.readable = false;
    maybeDestroy(this);
  } else {
    this.once('end', function end() {
      this.readable = false;
      maybeDestroy(this);
    });
    this.read(0);
  }
  if (!this.allowHalfOpen) {
    this.write = writeAfterFIN;
    this.destroySoon();
  }
}

function onReadableStreamEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterFIN;
  if (atLeast(16)) return;
  const ends = !this.allowHalfOpen && this.writable;
  if (ends) this.end();
  if (!atLeast(12)) {
    maybeDestroy(this);
    return;
  }
  const isDone = this.allowHalfOpen ? !this.destroyed && !this.writable : !ends;
  if (isDone && this._writableState.length === 0) this.destroy();
}

function maybeDestroy(socket) {
  const isOver = !socket.readable && !socket.writable && !socket.connecting;
  if (isOver && !socket.destroyed && socket._writableState.length === 0) socket.destroy();
}

// ---- writing ----

// What write() is once the other side has ended.
function writeAfterFIN(chunk, encoding, callback) {
  if (atLeast(16) && !this.writableEnded) return apply(duplex().write, this, [chunk, encoding, callback]);
  if (typeof encoding === 'function') callback = encoding;
  const error = new Error('This socket has been ended by the other party');
  error.code = 'EPIPE';
  if (!atLeast(12)) this.emit('error', error);
  else if (!atLeast(16)) internalTick(emitError, this, error);
  if (typeof callback === 'function') internalTick(callback, error);
  if (atLeast(16)) this.destroy(error);
  return false;
}

function emitError(emitter, error) { emitter.emit('error', error); }
function emitClose(socket) { socket.emit('close'); }

// destroy() with the callback of a write, which hears of the error first.
function destroyWith(socket, error, callback) {
  if (atLeast(16)) callback(error);
  else if (atLeast(8)) socket.destroy(error, callback);
  else socket._destroy(error, callback);
}

// The kernel takes all bytes at once; what fails may be told later.
function writeOut(socket, chunks, callback) {
  const handle = socket._handle;
  const isSeveral = chunks.length > 1;
  const bytes = isSeveral ? Buffer.concat(chunks) : chunks[0];
  const result = handle.write(bytes, isSeveral);
  if (typeof result === 'string') {
    const error = errnoException(result, 'write');
    if (atLeast(16)) callback(error);
    else destroyWith(socket, error, callback);
  } else if (result === true) {
    socket[kWriteRequest] = callback;
  } else {
    callback();
  }
}

function onWritten(socket, error) {
  const callback = socket[kWriteRequest];
  socket[kWriteRequest] = undefined;
  if (socket.destroyed) {
    if (native.facts.major === 11 && error !== undefined) callback?.();
    return;
  }
  if (error !== undefined) destroyWith(socket, errnoException(error, 'write'), callback ?? noop);
  else callback?.();
}

function onSocketFinish() { shutDown(this, undefined); }

// _final(); in Node 4 and 6 a listener of 'finish' does it.
function shutDown(socket, callback) {
  const waits = socket.connecting || (!socket._handle && atLeast(10) && !atLeast(22));
  if (waits) {
    socket.once('connect', () => shutDown(socket, callback));
    return;
  }
  const handle = socket._handle;
  const isOver = !atLeast(10) && (!socket.readable || socket._readableState.ended);
  if (isOver || !handle) {
    callback?.();
    if (!atLeast(10)) socket.destroy();
    return;
  }
  handle.onshutdown = () => {
    callback?.();
    if (!socket.destroyed) afterShutdown(socket);
  };
  handle.shutdown();
}

function afterShutdown(socket) {
  if (atLeast(16)) return;
  if (!atLeast(10)) {
    if (socket._readableState.ended) socket.destroy();
    else socket.once('_socketEnd', socket.destroy);
  } else if (!atLeast(12)) {
    if (!socket.readable || socket._readableState.ended) socket.destroy();
  } else if (!socket.readable || socket._readableState.endEmitted) {
    socket.destroy();
  }
}

// ---- connecting ----

function connectFailed(socket, error) { socket.destroy(error); }

function connectHandle(socket, address, port, { localAddress, localPort, blockList }) {
  const handle = socket._handle;
  if (isBlocked(blockList, address)) {
    socket.destroy(blockedError(address));
    return;
  }
  if (!isLoopback(address)) {
    socket.destroy(exceptionWithAddress('ENETUNREACH', 'connect', address, port, atLeast(10) ? '0.0.0.0:0' : 'undefined:undefined'));
    return;
  }
  socket[kAddress] = { address, family: isIP(address), port };
  handle.onconnect = (error) => afterConnect(socket, error && exceptionWithAddress(error, 'connect', address, port));
  const failed = handle.connect(port, localPort);
  if (failed !== undefined) {
    const own = localAddress ?? (isIP(address) === 6 ? '::' : '0.0.0.0');
    socket.destroy(exceptionWithAddress(failed, 'bind', own, localPort));
    return;
  }
  socket[kConnectEntry] = beginEntry('net', 'connect', { host: address, port });
}

function afterConnect(socket, error) {
  if (socket.destroyed) return;
  socket.connecting = false;
  socket._sockname = null;
  if (error) {
    socket.destroy(error);
    return;
  }
  if (!atLeast(14)) {
    socket.readable = true;
    if (!atLeast(10) || !socket._writableState.ended) socket.writable = true;
  }
  socket._unrefTimer();
  if (socket[kConnectEntry] !== undefined) endEntry(socket[kConnectEntry]);
  if (socket[kNoDelay]) socket._handle?.setNoDelay?.(true);
  if (socket[kKeepAlive]) socket._handle?.setKeepAlive?.(true, socket[kKeepAliveDelay]);
  socket.emit('connect');
  if (atLeast(8)) socket.emit('ready');
  // Begins to read, without taking anything.
  if (!socket.isPaused()) socket.read(0);
}

const kLocalLookup = 120_000;  // ns

function lookupOf(options) {
  const dns = require('dns');
  if (options.lookup) return options.lookup;
  return (host, dnsOptions, callback) => {
    if (host !== 'localhost') {
      dns.lookup(host, dnsOptions, (error, address = error ? undefined : '127.0.0.1', family = error ? undefined : 4) => {
        callback(error, address, family);
      });
      return;
    }
    const steps = (function* () { yield work.request('lookup', kLocalLookup, () => {}); })();
    work.start('dns', 'lookup', steps, () => callback(null, '127.0.0.1', 4), callback, work.kSlow);
  };
}

function lookupAndConnect(socket, options) {
  const { localAddress, localPort } = options;
  const binding = { localAddress, localPort, blockList: blockListOf(options) };
  const host = options.host || 'localhost';
  if (options.host != null && atLeast(22)) validateString(options.host, 'options.host');
  let { port } = options;
  if (localAddress && !isIP(localAddress)) {
    throw makeError(TypeError, 'ERR_INVALID_IP_ADDRESS', atLeast(10) ? `Invalid IP address: ${localAddress}` :
      '"localAddress" option must be a valid IP: ' + localAddress);
  }
  if (localPort) validateNumber(localPort, 'options.localPort');
  if (port !== undefined) {
    if (typeof port !== 'number' && typeof port !== 'string') {
      throw atLeast(10) ? invalidArgType('options.port', ['number', 'string'], port) :
        new TypeError('"port" option should be a number or string: ' + port);
    }
    validatePort(port);
  }
  port |= 0;
  if (atLeast(20) && options.autoSelectFamily != null) validateBoolean(options.autoSelectFamily, 'options.autoSelectFamily');
  if (atLeast(20) && options.autoSelectFamilyAttemptTimeout !== undefined) {
    validateInteger(options.autoSelectFamilyAttemptTimeout, 'options.autoSelectFamilyAttemptTimeout', 1, 2 ** 31 - 1);
  }
  const family = isIP(host);
  if (family) {
    internalTick(connectNow, socket, host, port, binding);
    return;
  }
  if (options.lookup != null && typeof options.lookup !== 'function') {
    if (atLeast(10)) validateFunction(options.lookup, 'options.lookup');
    throw new TypeError('"lookup" option should be a function');
  }
  const dnsOptions = { family: options.family, hints: options.hints || 0 };
  validateHints(dnsOptions.hints);
  const isAll = atLeast(20) && options.lookup && dnsOptions.family !== 4 && dnsOptions.family !== 6 &&
    !localAddress && (options.autoSelectFamily ?? defaultAutoSelectFamily);
  if (isAll) dnsOptions.all = true;
  socket._host = host;
  lookupOf(options)(host, dnsOptions, function emitLookup(error, ip, addressType) {
    if (Array.isArray(ip)) {
      for (const one of ip) socket.emit('lookup', error, one.address, one.family, host);
      const first = ip.find((one) => isIP(one.address) === one.family && !isBlocked(binding.blockList, one.address)) ?? ip[0];
      ({ address: ip, family: addressType } = first);
    } else {
      socket.emit('lookup', error, ip, addressType, host);
    }
    if (!socket.connecting) return;
    if (error) {
      internalTick(connectFailed, socket, error);
    } else if (!isIP(ip)) {
      internalTick(connectFailed, socket, makeNodeError(TypeError, 'ERR_INVALID_IP_ADDRESS', `Invalid IP address: ${ip}`));
    } else if (addressType !== 4 && addressType !== 6) {
      const failure = makeNodeError(RangeError, 'ERR_INVALID_ADDRESS_FAMILY', `Invalid address family: ${addressType} ${host}:${port}`);
      internalTick(connectFailed, socket, Object.assign(failure, { host, port }));
    } else {
      socket._unrefTimer();
      connectHandle(socket, ip, port, binding);
    }
  });
}

function connectNow(socket, host, port, binding) {
  if (socket.connecting) connectHandle(socket, host, port, binding);
}

// The kernel's limit for the path of a socket; older versions cut a longer one off.
function isTooLong(path) { return Buffer.byteLength(path) > 107 && atLeast(24); }

function isAbstract(path) { return path[0] === '\0'; }

function absolutePath(path) { return require('path').resolve(path); }

function connectPath(socket, path) {
  const handle = socket._handle;
  if (isTooLong(path)) {
    internalTick(connectFailed, socket, exceptionWithAddress('EINVAL', 'connect', path));
    return;
  }
  // What is there, but no server's.
  const hasFile = !isAbstract(path) && volume.peek(absolutePath(path)) !== undefined;
  handle.onconnect = (error) => {
    afterConnect(socket, error && exceptionWithAddress(error === 'ENOENT' && hasFile ? 'ECONNREFUSED' : error, 'connect', path));
  };
  handle.connect(path);
}

function onTimeout(socket) { socket._onTimeout(); }

const methods = {
  _unrefTimer() {
    for (let socket = this; socket !== null && socket !== undefined; socket = socket._parent) {
      if (socket[kTimeout]) apply(refresh, socket[kTimeout], []);
    }
  },

  _final(callback) { shutDown(this, callback); },

  _onTimeout() { this.emit('timeout'); },

  setTimeout(delay, callback) {
    if (this.destroyed && atLeast(12)) return this;
    this.timeout = delay;
    if (atLeast(10)) {
      if (typeof delay !== 'number') throw invalidArgType('msecs', 'number', delay);
      if (delay < 0 || !Number.isFinite(delay)) throw outOfRange('msecs', 'a non-negative finite number', delay);
      if (delay > 2 ** 31 - 1) {
        native.process.emitWarning(`${delay} does not fit into a 32-bit signed integer.\nTimer duration was truncated to 2147483647.`,
                                   'TimeoutOverflowWarning');
        delay = 2 ** 31 - 1;
      }
    }
    if (callback !== undefined && atLeast(10)) validateFunction(callback, 'callback');
    if (this[kTimeout]) timers.clearTimeout(this[kTimeout]);
    this[kTimeout] = null;
    if (delay === 0) {
      if (callback !== undefined) this.removeListener('timeout', callback);
    } else {
      this[kTimeout] = timers.setTimeout(onTimeout, delay, this);
      this[kTimeout].unref();
      if (callback !== undefined) this.once('timeout', callback);
    }
    return this;
  },

  setNoDelay(enable) {
    const value = enable === undefined ? true : Boolean(enable);
    if (!this._handle?.setNoDelay) {
      if (atLeast(18)) this[kNoDelay] = value;
      else if (!this._handle) this.once('connect', enable ? this.setNoDelay : () => this.setNoDelay(enable));
      return this;
    }
    if (atLeast(14) && value === Boolean(this[kNoDelay])) return this;
    this[kNoDelay] = value;
    this._handle.setNoDelay(value);
    return this;
  },

  setKeepAlive(setting, delay) {
    const seconds = ~~(delay / 1000);
    const value = Boolean(setting);
    if (!this._handle?.setKeepAlive) {
      if (atLeast(18)) {
        this[kKeepAlive] = value;
        this[kKeepAliveDelay] = seconds;
      } else if (!this._handle) {
        this.once('connect', () => this.setKeepAlive(setting, delay));
      }
      return this;
    }
    if (atLeast(18) && value === Boolean(this[kKeepAlive]) && this[kKeepAliveDelay] === seconds) return this;
    this[kKeepAlive] = value;
    this[kKeepAliveDelay] = seconds;
    this._handle.setKeepAlive(value, seconds);
    return this;
  },

  // Nobody looks at it on the simulated network.
  setTypeOfService(tos) {
    if (Number.isNaN(tos)) throw invalidArgType('tos', 'number', tos);
    validateInteger(tos, 'tos', 0, 255);
    this[kTypeOfService] = tos;
    return this;
  },

  getTypeOfService() { return this[kTypeOfService] ?? 0; },

  address() { return this._getsockname(); },

  pause() {
    if (this[kOnRead] && !this.connecting && this._handle?.reading) {
      this._handle.reading = false;
      if (!this.destroyed) this._handle.readStop();
    }
    return apply(duplex().pause, this, []);
  },

  resume() {
    if (this[kOnRead] && !this.connecting && this._handle && !this._handle.reading) startReading(this);
    return apply(duplex().resume, this, []);
  },

  read(size) {
    if (this[kOnRead] && !this.connecting && this._handle && !this._handle.reading) startReading(this);
    return apply(duplex().read, this, [size]);
  },

  _read(size) {
    if (this.connecting || !this._handle) this.once('connect', () => this._read(size));
    else if (!this._handle.reading) startReading(this);
  },

  end(data, encoding, callback) {
    const result = apply(duplex().end, this, [data, encoding, callback]);
    if (!atLeast(8)) {
      this.writable = false;
      if (this.readable && !this._readableState.endEmitted) this.read(0);
      else maybeDestroy(this);
    }
    return atLeast(10) ? this : result;
  },

  resetAndDestroy() {
    if (!this._handle) {
      this.destroy(closedError());
    } else {
      if (!(this._handle instanceof TCP)) throw makeNodeError(TypeError, 'ERR_INVALID_HANDLE_TYPE', 'This handle type cannot be sent');
      if (this.connecting) this.once('connect', () => this._reset());
      else this._reset();
    }
    return this;
  },

  _reset() {
    this.resetAndClosing = true;
    return this.destroy();
  },

  destroySoon() {
    if (this.writable) this.end();
    if (this._writableState.finished) this.destroy();
    else this.once('finish', this.destroy);
  },

  _destroy(exception, callback) {
    // Until Node 6 this is all of destroy().
    const isOwn = !atLeast(8);
    const tell = (error) => {
      callback?.(error);
      if (isOwn && error && !this._writableState.errorEmitted) {
        internalTick(emitError, this, error);
        this._writableState.errorEmitted = true;
      }
    };
    if (isOwn && this.destroyed) {
      tell(exception);
      return;
    }
    this.connecting = false;
    if (!atLeast(14)) this.readable = this.writable = false;
    for (let socket = this; socket !== null && socket !== undefined; socket = socket._parent) {
      if (socket[kTimeout]) timers.clearTimeout(socket[kTimeout]);
    }
    const handle = this._handle;
    if (handle) {
      const isException = Boolean(exception);
      this[kBytesRead] = handle.bytesRead;
      this[kBytesWritten] = handle.bytesWritten;
      const closed = () => { this.emit('close', isException); };
      if (this.resetAndClosing) {
        this.resetAndClosing = false;
        handle.reset(closed);
      } else {
        handle.close(closed);
      }
      handle.onread = noop;
      this._handle = null;
      this._sockname = null;
      if (!atLeast(8)) this.destroyed = true;
      tell(exception);
    } else {
      if (!atLeast(8)) this.destroyed = true;
      tell(exception);
      if (atLeast(10)) internalTick(emitClose, this);
    }
    if (this._server) {
      this._server._connections--;
      this._server._emitCloseIfDrained?.();
    }
  },

  _getpeername() {
    if (!this._handle || this.connecting) return this._peername || {};
    if (!this._peername) this._peername = peerOf(this);
    return this._peername;
  },

  _getsockname() {
    if (!this._handle || !this._handle.localPort) return {};
    const { family, local, address } = this[kAddress] ?? {};
    const own = local ?? (family === 6 ? '::1' : address === '0.0.0.0' ? '127.0.0.1' : address ?? '127.0.0.1');
    return addressOf(own, this._handle.localPort);
  },

  _writeGeneric(isSeveral, data, encoding, callback) {
    if (this.connecting) {
      this._pendingData = data;
      this._pendingEncoding = encoding;
      const onClose = () => {
        callback(makeNodeError(Error, 'ERR_SOCKET_CLOSED_BEFORE_CONNECTION', 'Socket closed before the connection was established'));
      };
      this.once('connect', function connect() {
        if (atLeast(18)) this.off('close', onClose);
        this._writeGeneric(isSeveral, data, encoding, callback);
      });
      if (atLeast(18)) this.once('close', onClose);
      return;
    }
    this._pendingData = null;
    this._pendingEncoding = '';
    if (!this._handle) {
      if (atLeast(12)) callback(closedError());
      else destroyWith(this, closedError(), callback);
      return;
    }
    this._unrefTimer();
    const chunks = isSeveral ? data.map(({ chunk, encoding: of }) => bufferOf(chunk, of)) : [bufferOf(data, encoding)];
    writeOut(this, chunks, callback);
  },

  _writev(chunks, callback) { this._writeGeneric(true, chunks, '', callback); },
  _write(data, encoding, callback) { this._writeGeneric(false, data, encoding, callback); },

  connect(...args) {
    const [options, callback] = Array.isArray(args[0]) && args[0][kNormalized] ? args[0] : normalizeArgs(args);
    if (atLeast(16) && options.port === undefined && options.path == null) {
      throw makeNodeError(TypeError, 'ERR_MISSING_ARGS', 'The "options" or "port" or "path" argument must be specified');
    }
    if (this.write !== Socket.prototype.write) this.write = Socket.prototype.write;
    if (this.destroyed) {
      if (!atLeast(10)) {
        this._readableState.reading = this._readableState.ended = this._readableState.endEmitted = false;
        Object.assign(this._writableState, { ended: false, ending: false, finished: false, errorEmitted: false });
      }
      this._handle = null;
      this._peername = undefined;
      this._sockname = undefined;
    }
    const { path } = options;
    if (!this._handle) {
      this._handle = path ? new Pipe(false, this[kLabel]) : new TCP(false, this[kLabel]);
      initHandle(this);
    }
    if (callback !== null) this.once('connect', callback);
    this._unrefTimer();
    this.connecting = true;
    if (!atLeast(14)) this.writable = true;
    if (path) {
      if (atLeast(10)) validateString(path, 'options.path');
      else if (typeof path !== 'string') throw new TypeError(`"path" option must be a string: ${path}`);
      connectPath(this, path);
    } else {
      lookupAndConnect(this, options);
    }
    return this;
  },

  ref() {
    if (this._handle) this._handle.ref();
    else this.once('connect', this.ref);
    return this;
  },

  unref() {
    if (this._handle) this._handle.unref();
    else this.once('connect', this.unref);
    return this;
  },
};

const kBytesRead = Symbol('kBytesRead');
const kBytesWritten = Symbol('kBytesWritten');

function bufferOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.from(chunk, encoding === 'buffer' ? undefined : encoding) : chunk;
}

function addressOf(address, port) {
  if (address === undefined) return {};
  const family = isIP(address);
  return { address, family: family === 6 ? 'IPv6' : 'IPv4', port };
}

function peerOf(socket) {
  const known = socket[kAddress];
  if (!known) return {};
  return addressOf(known.peer ?? (known.address === '0.0.0.0' ? '127.0.0.1' : known.address), socket._handle.remotePort);
}

function pendingBytes(socket) {
  const { _pendingData: data } = socket;
  let count = socket._handle ? socket._handle.bytesWritten : socket[kBytesWritten] ?? 0;
  if (!socket._handle && socket[kBytesWritten] === undefined && !socket._writableState) return undefined;
  const size = (chunk, encoding) => (typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length);
  const buffered = typeof socket._writableState.getBuffer === 'function' ? socket._writableState.getBuffer() : [];
  for (const { chunk, encoding } of buffered) count += size(chunk, encoding);
  if (Array.isArray(data)) for (const { chunk, encoding } of data) count += size(chunk, encoding);
  else if (data) count += size(data, socket._pendingEncoding);
  return count;
}

const getters = {
  _connecting() { return this.connecting; },
  pending() { return !this._handle || this.connecting; },
  readyState() {
    if (this.connecting) return 'opening';
    if (this.readable) return this.writable ? 'open' : 'readOnly';
    return this.writable ? 'writeOnly' : 'closed';
  },
  bufferSize() { return this._handle ? this._writableState.length : undefined; },
  _bytesDispatched() { return this._handle ? this._handle.bytesWritten : this[kBytesWritten]; },
  bytesRead() { return this._handle ? this._handle.bytesRead : this[kBytesRead] ?? 0; },
  bytesWritten() { return this._handle || this._writableState ? pendingBytes(this) : undefined; },
  remoteAddress() { return this._getpeername().address; },
  remoteFamily() { return this._getpeername().family; },
  remotePort() { return this._getpeername().port; },
  localAddress() { return this._getsockname().address; },
  localPort() { return this._getsockname().port; },
  localFamily() { return this._getsockname().family; },
};

for (const [name, value] of Object.entries(methods)) Socket.prototype[name] = value;
for (const [name, get] of Object.entries(getters)) {
  Object.defineProperty(Socket.prototype, name, { __proto__: null, get, enumerable: name !== 'pending', configurable: true });
}

// ---- Server ---------------------------------------------------------------------------------------------------------------

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  apply(EventEmitter, this, []);
  if (typeof options === 'function') {
    listener = options;
    options = {};
    this.on('connection', listener);
  } else if (options == null || typeof options === 'object') {
    options = { ...options };
    if (typeof listener === 'function') this.on('connection', listener);
  } else {
    throw atLeast(10) ? invalidArgType('options', 'Object', options) : new TypeError('options must be an object');
  }
  if (options.keepAliveInitialDelay !== undefined && atLeast(18)) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  if (options.highWaterMark !== undefined && atLeast(20)) {
    validateNumber(options.highWaterMark, 'options.highWaterMark');
    if (options.highWaterMark < 0) options.highWaterMark = undefined;
  }
  this._connections = 0;
  this._handle = null;
  this._usingWorkers = false;
  this._workers = [];
  this._unref = false;
  this._listeningId = 1;
  this.allowHalfOpen = options.allowHalfOpen || false;
  this.pauseOnConnect = Boolean(options.pauseOnConnect);
  if (atLeast(18)) {
    this.noDelay = Boolean(options.noDelay);
    this.keepAlive = Boolean(options.keepAlive);
    this.keepAliveInitialDelay = ~~(options.keepAliveInitialDelay / 1000);
  }
  if (atLeast(20)) this.highWaterMark = options.highWaterMark ?? current().getDefaultHighWaterMark();
  if (blockListOf(options) !== undefined) this.blockList = options.blockList;
  Object.defineProperty(this, kLabel, { value: native.variable() });
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

function onConnection(server, handle) {
  const { address } = server[kAddress];
  const isPath = server._pipeName !== undefined;
  const local = address === '::' ? '::ffff:127.0.0.1' : address === '0.0.0.0' ? '127.0.0.1' : address;
  if (server.maxConnections != null && server._connections >= server.maxConnections && (server.maxConnections || atLeast(20))) {
    const data = isPath ? {} : {
      localAddress: local, localPort: handle.localPort, localFamily: isIP(local) === 6 ? 'IPv6' : 'IPv4',
      remoteAddress: local, remotePort: handle.remotePort, remoteFamily: isIP(local) === 6 ? 'IPv6' : 'IPv4',
    };
    handle.close();
    if (has('18.6 16.17')) server.emit('drop', data);
    return;
  }
  if (!isPath && isBlocked(server.blockList, local)) {
    handle.close();
    return;
  }
  if (server.noDelay) handle.setNoDelay(true);
  if (server.keepAlive) handle.setKeepAlive(true, server.keepAliveInitialDelay);
  const options = {
    handle, allowHalfOpen: server.allowHalfOpen, pauseOnCreate: server.pauseOnConnect, readable: true, writable: true, [kLabel]: null,
  };
  if (server.highWaterMark !== undefined) options.readableHighWaterMark = options.writableHighWaterMark = server.highWaterMark;
  const socket = new Socket(options);
  if (!atLeast(14)) socket.readable = socket.writable = true;
  if (!isPath) socket[kAddress] = { address: local, family: isIP(local), local, peer: local };
  if (server.noDelay) socket[kNoDelay] = true;
  if (server.keepAlive) {
    socket[kKeepAlive] = true;
    socket[kKeepAliveDelay] = server.keepAliveInitialDelay;
  }
  server._connections++;
  socket.server = server;
  socket._server = server;
  server.emit('connection', socket);
}

function listenAtPath(server, path, { readableAll, writableAll }) {
  if (isTooLong(path)) {
    internalTick(emitError, server, listenException('EINVAL', path, -1));
    return;
  }
  const isFile = !isAbstract(path);
  const error = isFile ? volume.bindSocket(absolutePath(path), (readableAll ? 0o444 : 0) | (writableAll ? 0o222 : 0)) : undefined;
  if (error !== undefined) {
    internalTick(emitError, server, listenException(error, path, -1));
    return;
  }
  listenNow(server, '', 0, path);
  if (server._handle && isFile) server[kSocketFile] = absolutePath(path);
}

function listenNow(server, address, port, path) {
  if (server._handle) {  // until Node 18 a second call may have come meanwhile, in some of them at any time
    internalTick(emitListening, server);
    return;
  }
  if (path === undefined && !isLoopback(address)) {
    internalTick(emitError, server, listenException('EADDRNOTAVAIL', address, port));
    return;
  }
  const handle = path === undefined ? new TCP(true, server[kLabel]) : new Pipe(true, server[kLabel]);
  const error = handle.listen(port, path);
  if (error !== undefined) {
    handle.close();
    internalTick(emitError, server, listenException(error, path ?? address, port));
    return;
  }
  server._handle = handle;
  handle.owner = server;
  server[kAddress] = { address };
  server._pipeName = path;
  server._connectionKey = path === undefined ? `${isIP(address)}:${address}:${port}` : `-1:${path}:-1`;
  handle.onconnection = (error, accepted) => onConnection(server, accepted);
  if (server._unref) server.unref();
  internalTick(emitListening, server);
}

function emitListening(server) {
  if (server._handle) server.emit('listening');
}

function emitServerClose(server) { server.emit('close'); }

const serverMethods = {
  listen(...args) {
    const [given, callback] = Array.isArray(args[0]) && args[0][kNormalized] ? args[0] : normalizeArgs(args);
    let options = given;
    if (this._handle && atLeast(10)) {
      throw makeError(Error, 'ERR_SERVER_ALREADY_LISTEN', 'Listen method has been called more than once without closing.');
    }
    if (callback !== null) this.once('listening', callback);
    options = options._handle || options.handle || options;
    if (options instanceof TCP || options instanceof Pipe) {
      this._handle = options;
      options.onconnection = (error, accepted) => onConnection(this, accepted);
      this[kAddress] = { address: '::' };
      internalTick(emitListening, this);
      return this;
    }
    if (options.signal !== undefined && has('15.6 14.17')) {
      const { signal } = options;
      validateAbortSignal(signal, 'options.signal');
      const onAbort = () => this.close();
      if (signal.aborted) {
        internalTick(onAbort);
      } else {
        signal.addEventListener('abort', onAbort, { once: true });
        this.once('close', () => signal.removeEventListener('abort', onAbort));
      }
    }
    if (typeof options.fd === 'number' && options.fd >= 0) {
      const error = errnoException('EINVAL', 'listen');
      internalTick(emitError, this, error);
      return this;
    }
    let { port } = options;
    if (args.length === 0 || typeof args[0] === 'function' || (port === undefined && 'port' in options) || port === null) port = 0;
    if (typeof port === 'number' || typeof port === 'string') {
      port = validatePort(port, 'options.port');
      if (!options.host) {
        listenNow(this, '::', port, undefined);
        return this;
      }
      const { host } = options;
      // What was asked before, and what has been closed since, goes on until Node 18.
      const id = atLeast(20) ? ++this._listeningId : this._listeningId;
      if (isIP(host)) {
        internalTick(listenAt, this, id, host, port);
      } else {
        lookupOf({})(host, { family: options.family }, (error, address) => {
          if (error && id === this._listeningId) this.emit('error', error);
          else listenAt(this, id, address, port);
        });
      }
      return this;
    }
    if (options.path && isPipeName(options.path)) {
      if (isAbstract(options.path) && (options.readableAll || options.writableAll) && atLeast(20)) {
        const { inspect } = require('internal/inspect');
        throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE', "The argument 'options' can not set readableAll or writableAllt to " +
                            `true when path is abstract unix socket. Received ${inspect(options)}`);
      }
      listenAtPath(this, options.path, options);
      return this;
    }
    if (!atLeast(10)) throw new Error(`Invalid listen argument: ${require('internal/inspect').inspect(options)}`);
    const { inspect } = require('internal/inspect');
    if (!('port' in options) && !('path' in options)) {
      throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE',
                          `The argument 'options' must have the property "port" or "path". Received ${inspect(options)}`);
    }
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'options' is invalid. Received ${inspect(options)}`);
  },

  address() {
    if (!this._handle) return null;
    if (this._pipeName !== undefined) return this._pipeName;
    return addressOf(this[kAddress].address, this._handle.localPort);
  },

  getConnections(callback) {
    if (typeof callback === 'function') internalTick(callback, null, this._connections);
    return this;
  },

  close(callback) {
    if (typeof callback === 'function') {
      if (this._handle) {
        this.once('close', callback);
      } else {
        this.once('close', function close() {
          callback(makeError(Error, 'ERR_SERVER_NOT_RUNNING', atLeast(10) ? 'Server is not running.' : 'Not running'));
        });
      }
    }
    if (atLeast(20)) this._listeningId++;
    if (this._handle) {
      this._handle.close();
      this._handle = null;
      if (this[kSocketFile] !== undefined) volume.unbindSocket(this[kSocketFile]);
      this[kSocketFile] = undefined;
    }
    this._emitCloseIfDrained();
    return this;
  },

  _emitCloseIfDrained() {
    if (this._handle || this._connections) return;
    internalTick(emitServerClose, this);
  },

  ref() {
    this._unref = false;
    this._handle?.ref();
    return this;
  },

  unref() {
    this._unref = true;
    this._handle?.unref();
    return this;
  },
};
for (const [name, value] of Object.entries(serverMethods)) Server.prototype[name] = value;
Server.prototype._listen2 = function () { emitListening(this); };
Object.defineProperty(Server.prototype, 'listening', {
  __proto__: null, get() { return Boolean(this._handle); }, configurable: true, enumerable: true,
});
Server.prototype[Symbol.for('nodejs.rejection')] = function (error, event, socket) {
  if (event === 'connection') socket.destroy(error);
  else this.emit('error', error);
};
Object.defineProperty(Server.prototype, Symbol.asyncDispose, {
  __proto__: null,
  async value() {
    if (!this._handle) return;
    await new Promise((resolve, reject) => { this.close((error) => (error ? reject(error) : resolve())); });
  },
  writable: true, configurable: true,
});

function listenAt(server, id, address, port) {
  if (id === server._listeningId) listenNow(server, address, port, undefined);
}

// ---- functions ------------------------------------------------------------------------------------------------------------

function createServer(options, listener) { return new Server(options, listener); }

function connect(...args) {
  const normalized = normalizeArgs(args);
  const [options] = normalized;
  const socket = new Socket(options);
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(normalized);
}

let defaultAutoSelectFamily = true;
let defaultAutoSelectTimeout = 250;

// What the version is made of.
function adapt() {
  const { Duplex } = current();
  Object.setPrototypeOf(Socket.prototype, Duplex.prototype);
  Object.setPrototypeOf(Socket, Duplex);
  if (!atLeast(8)) {
    delete Socket.prototype._final;
    Socket.prototype.destroy = function (exception) { this._destroy(exception); };
  }
  if (!has('18.3 16.17')) {
    delete Socket.prototype.resetAndDestroy;
    delete Socket.prototype._reset;
  }
  if (!atLeast(24)) {
    delete Socket.prototype.setTypeOfService;
    delete Socket.prototype.getTypeOfService;
  }
  if (!has('11.2 10.16')) delete Socket.prototype.pending;
  if (!has('20.5 18.18')) delete Server.prototype[Symbol.asyncDispose];
  defaultAutoSelectFamily = atLeast(20);
  removeAbsent([
    [Server.prototype, 'listening', '5.7'],
    [module.exports, 'getDefaultAutoSelectFamily', '19.4 18.13'],
    [module.exports, 'setDefaultAutoSelectFamily', '19.4 18.13'],
    [module.exports, 'getDefaultAutoSelectFamilyAttemptTimeout', '19.8 18.18'],
    [module.exports, 'setDefaultAutoSelectFamilyAttemptTimeout', '19.8 18.18'],
  ]);
  restrictBlockList(module.exports);
  if (native.facts.major < 22) defaultAutoSelectTimeout = 250;
  startHandles();
}

module.exports = {
  _createServerHandle: (address, port) => {
    const handle = new TCP(true);
    const error = handle.listen(port);
    return error === undefined ? handle : -98;
  },
  _normalizeArgs: normalizeArgs,
  BlockList,
  connect,
  createConnection: connect,
  createServer,
  isIP,
  isIPv4,
  isIPv6,
  Server,
  Socket,
  SocketAddress,
  Stream: Socket,
  getDefaultAutoSelectFamily: () => defaultAutoSelectFamily,
  setDefaultAutoSelectFamily(value) {
    if (typeof value !== 'boolean') throw invalidArgType('value', 'boolean', value);
    defaultAutoSelectFamily = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => defaultAutoSelectTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout(value) {
    validateInteger(value, 'value', 1, 2 ** 31 - 1);
    defaultAutoSelectTimeout = Math.max(value, 10);
  },
};
Object.defineProperty(module.exports, 'adapt', { value: adapt, enumerable: false, configurable: true });
