// Handles of servers and sockets: TCP and Pipe (src/tcp_wrap.cc, src/pipe_wrap.cc, src/stream_base.cc). What happens to
// one is told by calls of its functions onconnection, onconnect, onread, onwritten, onshutdown, and of the callback of
// close(). A program gets hold of them as socket._handle, but not of the engine's object behind one, which checks what it is asked.
'use strict';

const native = internalBinding;
const { Buffer } = require('buffer');
const { atLeast } = require('internal/version');

const { from } = Buffer;
const { apply } = Reflect;
const { get, set, delete: remove } = Map.prototype;
const letter = (word) => word.charCodeAt(0);
const kShutDown = letter('s');
const kRead = letter('r');
const kPause = letter('p');
const kClose = letter('c');
const kReset = letter('x');
const kRef = letter('f');
const kUnref = letter('u');
const kLocal = letter('l');
const kRemote = letter('q');
const kNumber = letter('n');

const open = new Map();  // by the engine's object
let accepted;            // that of the next one, which the engine has made

let forget;  // what is closed
let belowOf;
let callIn;  // tells a handle, in the context that this is of

class Handle {
  #below;  // the engine's object; undefined: it is closed
  #isReferenced = true;

  #isServer;
  #isUsed = false;  // it listens, or connects
  #isShut = false;
  #context;         // of the handle
  #requestContext;  // of the request that it connects, writes or shuts down by

  constructor(isServer, label) {
    const below = accepted ?? native.netMake(isServer, label);
    this.#isUsed = accepted !== undefined;
    accepted = undefined;
    this.#context = native.asyncContext();
    this.#isServer = isServer;
    this.#below = below;
    this.reading = false;
    this.bytesRead = 0;
    this.bytesWritten = 0;
    apply(set, open, [below, this]);
  }

  #call(method) { return this.#below === undefined ? undefined : native.netMethod(this.#below, method); }

  // All: undefined, or an error's code.
  listen(port, path) {
    if (this.#below === undefined || this.#isUsed || !this.#isServer) return 'EINVAL';
    const error = native.netListen(this.#below, port, path);
    this.#isUsed = error === undefined;
    return error;
  }
  connect(portOrPath, localPort = 0) {
    if (this.#below === undefined || this.#isUsed || this.#isServer) return undefined;
    this.#requestContext = native.asyncContext();
    const error = native.netConnect(this.#below, portOrPath, localPort);
    this.#isUsed = error === undefined;
    return error;
  }
  readStart() { if (!this.#isServer && this.#isUsed) this.#call(kRead); }
  readStop() { if (!this.#isServer) this.#call(kPause); }
  shutdown() {
    if (this.#isServer || !this.#isUsed || this.#isShut) return;
    this.#isShut = true;
    this.#requestContext = native.asyncContext();
    this.#call(kShutDown);
  }
  // true: onwritten() follows.
  write(buffer, isSeveral) {
    if (this.#below === undefined || this.#isServer || !this.#isUsed) return 'EBADF';
    this.bytesWritten += buffer.length;
    this.#requestContext = native.asyncContext();
    return native.netWrite(this.#below, buffer, isSeveral);
  }
  close(callback) { this.#close(kClose, callback); }
  reset(callback) { this.#close(kReset, callback); }
  #close(method, callback) {
    if (this.#below === undefined) return;
    this.onclosed = callback;
    native.netMethod(this.#below, method, callback !== undefined);
    this.closing = true;
    if (callback === undefined) forget(this);
  }
  ref() { this.#isReferenced = true; this.#call(kRef); }
  unref() { this.#isReferenced = false; this.#call(kUnref); }
  hasRef() { return this.#below !== undefined && this.#isReferenced; }
  isActive() { return this.#isUsed && this.hasRef(); }
  getTypeName() { return `${this instanceof Pipe ? 'Pipe' : 'TCP'}${this.#isServer ? 'ServerWrap' : 'SocketWrap'}`; }
  get localPort() { return this.#call(kLocal); }
  get remotePort() { return this.#call(kRemote); }
  get fd() { return (this.#call(kNumber) ?? -21) + 20; }
  setNoDelay() { return 0; }
  setKeepAlive() { return 0; }
  getAsyncId() { return (this.#call(kNumber) ?? -1) + 2; }

  static {
    forget = (handle) => {
      apply(remove, open, [handle.#below]);
      handle.#below = undefined;
    };
    belowOf = (handle) => handle.#below;
    callIn = (handle, kind, value) => {
      const isOfRequest = kRequests.has(kind);
      native.asyncContext(isOfRequest ? handle.#requestContext : handle.#context);
      try {
        kinds[kind](handle, value);
      } finally {
        if (!isOfRequest && !atLeast(24)) handle.#context = native.asyncContext();
      }
    };
  }
}

// One end of a pipe whose other one a child process gets.
function makePipe() {
  accepted = native.netPipe();
  return new Pipe(false);
}

class TCP extends Handle {}
class Pipe extends Handle {}

// The kinds of node::HandleReport; kRequests: of requests, which have contexts of their own.
const kConnection = 0;
const kRequests = new Set([1, 4, 5]);
const kinds = [
  (handle, other) => { handle.onconnection(undefined, other); },
  (handle, error) => { handle.onconnect?.(error); },
  (handle, bytes) => {
    handle.bytesRead += bytes.byteLength;
    handle.onread?.(apply(from, Buffer, [bytes]));
  },
  (handle, error) => { handle.onread?.(null, error); },
  (handle, error) => { handle.onwritten?.(error); },
  (handle, error) => { handle.onshutdown?.(error); },
  (handle) => {
    forget(handle);
    handle.onclosed?.();
  },
];

function report(below, kind, value) {
  const handle = apply(get, open, [below]);
  if (handle === undefined) return;
  if (kind === kConnection) {  // it is made before anything of the program runs
    accepted = value;
    value = handle instanceof Pipe ? new Pipe(false) : new TCP(false);
  }
  callIn(handle, kind, value);
}

// Those that keep the loop alive.
function activeHandles() { return [...open.values()].filter((handle) => handle.isActive()); }

module.exports = { TCP, Pipe, activeHandles, belowOf: (handle) => belowOf(handle), makePipe, start() { native.watchHandles(report); } };
