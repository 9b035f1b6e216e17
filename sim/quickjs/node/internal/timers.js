// What timers are made of, and queueMicrotask. What a timer is, only Node knows: a Timeout here is its number.
'use strict';

const native = internalBinding;
const { inspect } = require('internal/inspect');
const { noteKind } = require('internal/own_places');
const { atLeast, has } = require('internal/version');
const { invalidArgType, validateCallback } = require('internal/validate');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kTimeoutMax = 2 ** 31 - 1;
const method = (letter) => letter.charCodeAt(0);
const knownTimers = new Map();  // by the numbers that they were turned into

function showNumbers(timer, shown) {
  shown[Symbol('asyncId')] = native.timerMethod(timer, method('n'));
  shown[Symbol(atLeast(10) ? 'triggerId' : 'triggerAsyncId')] = native.timerMethod(timer, method('t'));
  if (atLeast(22)) shown[Symbol('kAsyncContextFrame')] = undefined;
}

class Timeout {
  refresh() { native.timerMethod(this, method('f')); return this; }
  unref() { native.timerMethod(this, method('u')); return this; }
  ref() { native.timerMethod(this, method('r')); return this; }
  hasRef() { return native.timerMethod(this, method('h')); }
  close() { native.timerMethod(this, method('c')); return this; }

  [Symbol.toPrimitive]() {
    const number = native.timerMethod(this, method('n'));
    for (const [known, timer] of knownTimers) if (timer === this) return known;
    knownTimers.set(number, this);
    return number;
  }

  get _onTimeout() { return native.timerMethod(this, method('o')) ?? (atLeast(24) ? undefined : null); }
  get _idleTimeout() { return native.timerMethod(this, method('i')); }
  get _idleStart() { return native.timerMethod(this, method('s')); }
  get _repeat() { return native.timerMethod(this, method('p')); }
  get _destroyed() { return native.timerMethod(this, method('d')); }

  set _onTimeout(value) { native.timerMethod(this, method('o'), value); }
  set _idleTimeout(value) { native.timerMethod(this, method('i'), value); }
  set _repeat(value) { native.timerMethod(this, method('p'), value); }

  // What Node prints are the fields of its own object.
  [kInspect](depth, options) {
    class TimersList { neighbour = this; }
    const shown = {};
    if (!atLeast(11)) shown._called = false;
    shown._idleTimeout = this._idleTimeout;
    const isListed = native.timerMethod(this, method('l'));  // it is not while it is called
    shown._idlePrev = isListed ? new TimersList() : null;
    shown._idleNext = isListed ? new TimersList() : null;
    shown._idleStart = this._idleStart;
    shown._onTimeout = this._onTimeout;
    shown._timerArgs = native.timerMethod(this, method('a'));
    shown._repeat = this._repeat;
    shown._destroyed = this._destroyed;
    if (atLeast(11)) {
      shown[Symbol('refed')] = this.hasRef();
      shown[Symbol('kHasPrimitive')] = [...knownTimers.values()].includes(this);
    }
    showNumbers(this, shown);
    Object.setPrototypeOf(shown, Timeout.prototype);
    return inspect(shown, { ...options, depth: 0, customInspect: false });
  }
}
Object.defineProperty(Timeout.prototype, Symbol.dispose, {
  __proto__: null, value() { native.clear(this, false); }, writable: true, enumerable: true, configurable: true,
});

class Immediate {
  ref() { native.timerMethod(this, method('r')); return this; }
  unref() { native.timerMethod(this, method('u')); return this; }
  hasRef() { return native.timerMethod(this, method('h')); }

  get _onImmediate() { return native.timerMethod(this, method('o')) ?? (atLeast(24) ? undefined : null); }
  get _destroyed() { return native.timerMethod(this, method('d')); }

  [kInspect](depth, options) {
    const shown = {};
    shown._idleNext = null;
    shown._idlePrev = null;
    shown._onImmediate = this._onImmediate;
    shown._argv = this._destroyed && atLeast(24) ? undefined : native.timerMethod(this, method('a'));
    shown._destroyed = this._destroyed;
    shown[Symbol('refed')] = this._destroyed ? null : this.hasRef();
    showNumbers(this, shown);
    Object.setPrototypeOf(shown, Immediate.prototype);
    return inspect(shown, { ...options, customInspect: false });
  }
}
Object.defineProperty(Immediate.prototype, Symbol.dispose, {
  __proto__: null, value() { native.clear(this, true); }, writable: true, enumerable: true, configurable: true,
});

// ---- delays ---------------------------------------------------------------------------------------------------------

let wasNegativeTold = false;
let wasNanTold = false;

// The delay as a number. A warning of one that is replaced by 1 comes from a tick.
function coerceDelay(delay) {
  if (delay === undefined && atLeast(24)) return 1;
  if (typeof delay === 'bigint') throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
  delay *= 1;
  if ((delay >= 1 && delay <= kTimeoutMax) || !atLeast(10)) return delay;
  const warn = (what, type) => native.process.emitWarning(`${delay} ${what}.\nTimeout duration was set to 1.`, type);
  if (delay > kTimeoutMax) {
    warn('does not fit into a 32-bit signed integer', 'TimeoutOverflowWarning');
  } else if (atLeast(24) && delay < 0 && !wasNegativeTold) {
    wasNegativeTold = true;
    warn('is a negative number', 'TimeoutNegativeWarning');
  } else if (atLeast(24) && Number.isNaN(delay) && !wasNanTold) {
    wasNanTold = true;
    warn('is not a number', 'TimeoutNaNWarning');
  }
  return delay;
}

function clearTimer(timer) {
  if (native.clear(timer, false) || timer == null) return;
  if (atLeast(11) && (typeof timer === 'object' || typeof timer === 'function')) void timer._onTimeout;  // a getter or a proxy sees it
  if (typeof timer === 'number' || typeof timer === 'string') {
    if (!has('12.19 14.11')) {
      if (!atLeast(10) && typeof timer === 'string' && timer !== '') {
        throw noteKind(new TypeError(atLeast(6) ? `Cannot create property '_onTimeout' on string '${timer}'` :
          `Cannot assign to read only property '_onTimeout' of ${timer}`), 'clearTimeout');
      }
      return;
    }
    const known = knownTimers.get(Number(timer));
    if (known === undefined || String(Number(timer)) !== String(timer)) return;
    knownTimers.delete(Number(timer));
    native.clear(known, false);
  }
}

let wasQueueMicrotaskTold = false;

function queueMicrotask(callback) {
  if (!atLeast(12) && !wasQueueMicrotaskTold) {
    wasQueueMicrotaskTold = true;
    native.process.emitWarning('queueMicrotask() is experimental.', 'ExperimentalWarning');
  }
  if (typeof callback !== 'function') throw invalidArgType('callback', atLeast(12) ? 'Function' : 'function', callback);
  native.queueMicrotask(callback);
}

// What the version has not.
function restrict() {
  for (const { prototype } of [Timeout, Immediate]) {
    if (!has('20.5 18.18')) delete prototype[Symbol.dispose];
    if (!has('11')) delete prototype.hasRef;
  }
  if (!has('10.2')) delete Timeout.prototype.refresh;
  if (!has('12.19 14.9')) delete Timeout.prototype[Symbol.toPrimitive];
  if (!has('10')) {
    delete Immediate.prototype.ref;
    delete Immediate.prototype.unref;
  }
}

module.exports = { Timeout, Immediate, queueMicrotask, coerceDelay, clearTimer, restrict, validateCallback };
