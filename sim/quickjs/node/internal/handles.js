// Handles of servers and sockets: TCP and Pipe (src/tcp_wrap.cc, src/pipe_wrap.cc, src/stream_base.cc). What happens to one is told by
// calls of its functions onconnection, onconnect, onread, onwritten, onshutdown, and of the callback of close().
'use strict';

const native = internalBinding;
const { Buffer } = require('buffer');

const { from } = Buffer;
const { apply } = Reflect;
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

class Handle {
  #number;
  #isReferenced = true;

  // `number`: of one that the engine has made for an accepted connection.
  constructor(isServer, label, number = native.netMake(isServer, label)) {
    this.#number = number;
    this.reading = false;
    this.bytesRead = 0;
    this.bytesWritten = 0;
    open.set(number, this);
  }

  #call(method) { return this.#number < 0 ? undefined : native.netMethod(this.#number, method); }

  // All: undefined, or an error's code.
  listen(port, path) { return native.netListen(this.#number, port, path); }
  connect(portOrPath) { native.netConnect(this.#number, portOrPath); }
  readStart() { this.#call(kRead); }
  readStop() { this.#call(kPause); }
  shutdown() { this.#call(kShutDown); }
  // true: onwritten() follows.
  write(buffer, isSeveral) {
    if (this.#number < 0) return 'EBADF';
    this.bytesWritten += buffer.length;
    return native.netWrite(this.#number, buffer, isSeveral);
  }
  close(callback) { this.#close(kClose, callback); }
  reset(callback) { this.#close(kReset, callback); }
  #close(method, callback) {
    if (this.#number < 0) return;
    this.onclosed = callback;
    native.netMethod(this.#number, method, callback !== undefined);
    this.closing = true;
    if (callback === undefined) Handle.forget(this);
  }
  ref() { this.#isReferenced = true; this.#call(kRef); }
  unref() { this.#isReferenced = false; this.#call(kUnref); }
  hasRef() { return this.#number >= 0 && this.#isReferenced; }
  get localPort() { return this.#call(kLocal); }
  get remotePort() { return this.#call(kRemote); }
  get fd() { return this.#number < 0 ? -1 : this.#number + 20; }
  setNoDelay() { return 0; }
  setKeepAlive() { return 0; }
  getAsyncId() { return this.#number + 2; }

  static forget(handle) {
    open.delete(handle.#number);
    handle.#number = -1;
  }
}

class TCP extends Handle {}
class Pipe extends Handle {}

// The kinds of node::HandleReport.
const kinds = [
  (handle, number) => {
    const accepted = new handle.constructor(false, undefined, number);
    handle.onconnection(undefined, accepted);
  },
  (handle, error) => { handle.onconnect?.(error); },
  (handle, bytes) => {
    handle.bytesRead += bytes.byteLength;
    handle.onread?.(apply(from, Buffer, [bytes]));
  },
  (handle, error) => { handle.onread?.(null, error); },
  (handle, error) => { handle.onwritten?.(error); },
  (handle, error) => { handle.onshutdown?.(error); },
  (handle) => {
    Handle.forget(handle);
    handle.onclosed?.();
  },
];

function report(number, kind, value) {
  const handle = open.get(number);
  if (handle !== undefined) kinds[kind](handle, value);
}

module.exports = { TCP, Pipe, start() { native.watchHandles(report); } };
