// Servers and sockets on the simulated network (lib/net.js): what they do is in sim/node/net.
'use strict';

const native = internalBinding;
const { NativeEmitter } = require('internal/native_emitter');

const letter = (word) => word.charCodeAt(0);

class Server extends NativeEmitter {
  close(callback) { native.netOperation(this, letter('close'), undefined, callback); return this; }
  address() { return { address: '127.0.0.1', family: 'IPv4', port: this._port }; }
}

class Socket extends NativeEmitter {
  write(data, encoding, callback) {
    if (typeof encoding === 'function') callback = encoding;
    return native.netOperation(this, letter('write'), data, callback) !== false;
  }
  end(data, encoding, callback) {
    if (typeof data === 'function') { callback = data; data = undefined; }
    else if (typeof encoding === 'function') callback = encoding;
    native.netOperation(this, letter('end'), data, callback);
    return this;
  }
  destroy(error) { native.netOperation(this, letter('destroy'), error); return this; }
  pause() { native.netOperation(this, letter('pause')); return this; }
  resume() { native.netOperation(this, letter('resume')); return this; }
  setEncoding() { return this; }
  setNoDelay() { return this; }
  setKeepAlive() { return this; }
  setTimeout() { return this; }
}

// A server that does not listen yet: Node's own begins to live with listen().
class FutureServer {
  constructor(options, listener) { this._options = options; this._pending = listener ? [['on', 'connection', listener]] : []; }
  on(event, listener) { this._pending.push(['on', event, listener]); return this; }
  once(event, listener) { this._pending.push(['once', event, listener]); return this; }
  listen(port, ...rest) {
    if (port !== null && typeof port === 'object') port = port.port;
    const server = native.netListen(port, Boolean(this._options.allowHalfOpen));
    server._port = port;
    for (const [method, event, listener] of this._pending) server[method](event, listener);
    const callback = rest.find((one) => typeof one === 'function');
    if (callback) server.once('listening', callback);
    return server;
  }
}

function createServer(options, listener) {
  if (typeof options === 'function') return new FutureServer({}, options);
  return new FutureServer(options || {}, listener);
}

function connect(target, ...rest) {
  const options = target !== null && typeof target === 'object' ? target : { port: target };
  const callback = rest.find((one) => typeof one === 'function');
  const place = options.path !== undefined ? options.path : options.port;
  const socket = native.netConnect(typeof place === 'string' && /^\d+$/.test(place) ? Number(place) : place,
                                   Boolean(options.allowHalfOpen));
  if (callback) socket.once('connect', callback);
  return socket;
}

module.exports = { Server, Socket, createServer, connect, createConnection: connect };
