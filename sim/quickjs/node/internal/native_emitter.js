// An emitter whose listeners Node itself keeps, beside its own: servers, sockets, child processes (lib/events.js).
'use strict';

const native = internalBinding;
const { checkFunction } = require('internal/errors');

class NativeEmitter {
  on(event, listener) {
    checkFunction(listener, 'listener');
    native.netOn(this, String(event), listener, false);
    return this;
  }
  addListener(event, listener) { return this.on(event, listener); }
  once(event, listener) {
    checkFunction(listener, 'listener');
    native.netOn(this, String(event), listener, true);
    return this;
  }
  removeListener(event, listener) { native.netOff(this, String(event), listener); return this; }
  off(event, listener) { return this.removeListener(event, listener); }
  emit(event, ...args) { return native.netEmit(this, String(event), args); }
  ref() { native.reference(this, true); return this; }
  unref() { native.reference(this, false); return this; }
}

module.exports = { NativeEmitter };
