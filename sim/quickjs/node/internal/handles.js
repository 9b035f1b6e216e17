// Handles of servers and sockets: TCP and Pipe (src/tcp_wrap.cc, src/pipe_wrap.cc, src/stream_base.cc). What happens to
// one is told by calls of its functions onconnection, onconnect, onread, onwritten, onshutdown, and of the callback of
// close(). A program gets hold of them as socket._handle, so they check what they are asked.
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

const open = new Map();  // by the engine's number
let accepted = -1;       // the number of the next one, which the engine has made

let forget;  // what is closed
let callIn;  // tells a handle, in the context that this is of

class Handle {
  #number;
  #isReferenced = true;

  #isServer;
  #isUsed = false;  // it listens, or connects
  #isShut = false;
  #context;         // of the handle
  #requestContext;  // of the request that it connects, writes or shuts down by

  constructor(isServer, label) {
    const number = accepted >= 0 ? accepted : native.netMake(isServer, label);
    this.#isUsed = accepted >= 0;
    accepted = -1;
    this.#context = native.asyncContext();
    this.#isServer = isServer;
    this.#number = number;
    this.reading = false;
    this.bytesRead = 0;
    this.bytesWritten = 0;
    apply(set, open, [number, this]);
  }

  #call(method) { return this.#number < 0 ? undefined : native.netMethod(this.#number, method); }

  // All: undefined, or an error's code.
  listen(port, path) {
    if (this.#number < 0 || this.#isUsed || !this.#isServer) return 'EINVAL';
    const error = native.netListen(this.#number, port, path);
    this.#isUsed = error === undefined;
    return error;
  }
  connect(portOrPath, localPort = 0) {
    if (this.#number < 0 || this.#isUsed || this.#isServer) return undefined;
    this.#requestContext = native.asyncContext();
    const error = native.netConnect(this.#number, portOrPath, localPort);
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
    if (this.#number < 0 || this.#isServer || !this.#isUsed) return 'EBADF';
    this.bytesWritten += buffer.length;
    this.#requestContext = native.asyncContext();
    return native.netWrite(this.#number, buffer, isSeveral);
  }
  close(callback) { this.#close(kClose, callback); }
  reset(callback) { this.#close(kReset, callback); }
  #close(method, callback) {
    if (this.#number < 0) return;
    this.onclosed = callback;
    native.netMethod(this.#number, method, callback !== undefined);
    this.closing = true;
    if (callback === undefined) forget(this);
  }
  ref() { this.#isReferenced = true; this.#call(kRef); }
  unref() { this.#isReferenced = false; this.#call(kUnref); }
  hasRef() { return this.#number >= 0 && this.#isReferenced; }
  isActive() { return this.#isUsed && this.hasRef(); }
  getTypeName() { return `${this instanceof Pipe ? 'Pipe' : 'TCP'}${this.#isServer ? 'ServerWrap' : 'SocketWrap'}`; }
  get localPort() { return this.#call(kLocal); }
  get remotePort() { return this.#call(kRemote); }
  get fd() { return this.#number < 0 ? -1 : this.#number + 20; }
  setNoDelay() { return 0; }
  setKeepAlive() { return 0; }
  getAsyncId() { return this.#number + 2; }

  static {
    forget = (handle) => {
      apply(remove, open, [handle.#number]);
      handle.#number = -1;
    };
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

function report(number, kind, value) {
  const handle = apply(get, open, [number]);
  if (handle === undefined) return;
  if (kind === kConnection) {  // it is made before anything of the program runs
    accepted = value;
    value = handle instanceof Pipe ? new Pipe(false) : new TCP(false);
  }
  callIn(handle, kind, value);
}

// Those that keep the loop alive.
function activeHandles() { return [...open.values()].filter((handle) => handle.isActive()); }

module.exports = { TCP, Pipe, activeHandles, start() { native.watchHandles(report); } };
