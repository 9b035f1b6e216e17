// setTimeout() and its like, queueMicrotask(), frames and idle time: what the window asks the loop for.
'use strict';

const native = internalBinding;
const { describe, kKey } = require('web/webidl');
const { illegalConstructor, isFirefox, isObject, needArgs, needDictionary, needFunction, prefixed } = require('web/words');

// What a timer calls: a text is compiled when its time has come.
function handlerOf(member, value) {
  if (typeof value === 'function') return value;
  if (typeof value === 'symbol') {
    throw new TypeError(isFirefox() ? "can't convert symbol to string" :
      prefixed('Window', member, 'Cannot convert a Symbol value to a string'));
  }
  const text = `${value}`;
  return Object.defineProperty(() => (0, eval)(text), 'name', { value: '' });
}

const functions = {
  setTimeout(handler, timeout = 0, ...args) {
    needArgs('Window', 'setTimeout', arguments, 1);
    return native.setTimer(handlerOf('setTimeout', handler), Number(timeout), false, args);
  },
  setInterval(handler, timeout = 0, ...args) {
    needArgs('Window', 'setInterval', arguments, 1);
    return native.setTimer(handlerOf('setInterval', handler), Number(timeout), true, args);
  },
  clearTimeout(id = 0) { native.clearTimer(Number(id) | 0); },
  clearInterval(id = 0) { native.clearTimer(Number(id) | 0); },
  queueMicrotask(callback) {
    needArgs('Window', 'queueMicrotask', arguments, 1);
    needFunction('Window', 'queueMicrotask', callback);
    native.queueMicrotask(callback, 'queueMicrotask');
  },
  requestAnimationFrame(callback) {
    needArgs('Window', 'requestAnimationFrame', arguments, 1);
    needFunction('Window', 'requestAnimationFrame', callback);
    return native.requestFrame(callback);
  },
  cancelAnimationFrame(handle) {
    needArgs('Window', 'cancelAnimationFrame', arguments, 1);
    native.cancelFrame(Number(handle) | 0);
  },
  requestIdleCallback(callback) {
    needArgs('Window', 'requestIdleCallback', arguments, 1);
    needFunction('Window', 'requestIdleCallback', callback);
    const { timeout } = needDictionary('Window', 'requestIdleCallback', arguments[1], 'IdleRequestOptions', 2);
    const limit = Number(timeout) >>> 0;
    // No timeout is the same as none above zero.
    return native.requestIdle(callback, limit > 0 ? limit : -1);
  },
  cancelIdleCallback(handle) {
    needArgs('Window', 'cancelIdleCallback', arguments, 1);
    native.cancelIdle(Number(handle) | 0);
  },
};

let isDeadline;
class IdleDeadline {
  #end;
  #didTimeout;
  static { isDeadline = (value) => isObject(value) && #end in value; }
  static length = 0;
  constructor(key, end, didTimeout) {
    if (key !== kKey) throw illegalConstructor('IdleDeadline');
    this.#end = end;
    this.#didTimeout = didTimeout;
  }
  timeRemaining() { return this.#didTimeout ? 0 : Math.max(0, this.#end - native.now()); }
  get didTimeout() { return this.#didTimeout; }
}
describe(IdleDeadline, isDeadline, { inspect() { return `IdleDeadline {didTimeout: ${this.didTimeout}}`; } });

module.exports = { IdleDeadline, functions, makeDeadline: (end, didTimeout) => new IdleDeadline(kKey, end, Boolean(didTimeout)) };
