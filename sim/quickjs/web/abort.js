// AbortController and AbortSignal (DOM standard, section 3).
'use strict';

const native = internalBinding;
const { Event, EventTarget, defineHandler, dispatch, hooks, makeEvent } = require('web/event_target');
const { DOMException } = require('web/dom_exception');
const { describe, kKey } = require('web/webidl');
const { illegalConstructor, isFirefox, isObject, needArgs, needRange, typeError } = require('web/words');

const abortError = () => new DOMException(isFirefox() ? 'The operation was aborted. ' : 'signal is aborted without reason', 'AbortError');
const timeoutError = () => new DOMException(isFirefox() ? 'The operation timed out.' : 'signal timed out', 'TimeoutError');

let insidesOf;  // undefined: no signal
class AbortSignal extends EventTarget {
  // algorithms: what is to be done when it is aborted. sources: of AbortSignal.any(), those it depends on; dependents: the inverse.
  #insides = { aborted: false, reason: undefined, algorithms: new Set(), sources: null, dependents: new Set() };
  static { insidesOf = (value) => (isObject(value) && #insides in value ? value.#insides : undefined); }
  static length = 0;
  constructor(key) {
    if (key !== kKey) throw illegalConstructor('AbortSignal');
    super();
  }
  static abort() {
    const signal = new AbortSignal(kKey);
    const insides = insidesOf(signal);
    insides.aborted = true;
    insides.reason = arguments[0] === undefined ? abortError() : arguments[0];
    return signal;
  }
  static timeout(milliseconds) {
    needArgs('AbortSignal', 'timeout', arguments, 1);
    const delay = needRange('AbortSignal', 'timeout', milliseconds);
    const signal = new AbortSignal(kKey);
    native.queueTask('AbortSignal.timeout', () => signalAbort(signal, timeoutError()), [], delay, 1);
    return signal;
  }
  static any(signals) {
    needArgs('AbortSignal', 'any', arguments, 1);
    return makeDependent(new AbortSignal(kKey), readSignals('AbortSignal', signals));
  }
  get aborted() { return this.#insides.aborted; }
  get reason() { return this.#insides.reason; }
  throwIfAborted() { if (this.#insides.aborted) throw this.#insides.reason; }
}
const isSignal = (value) => insidesOf(value) !== undefined;
describe(AbortSignal, isSignal, {
  inspect() { return `${this.constructor?.name ?? 'AbortSignal'} {aborted: ${this.aborted}}`; },
});
defineHandler(AbortSignal.prototype, 'abort', { isOne: isSignal });
hooks.signalOf = insidesOf;

function readSignals(Interface, signals) {
  if (!isObject(signals) || typeof signals[Symbol.iterator] !== 'function') {
    throw typeError(Interface, 'any', 'The provided value cannot be converted to a sequence.',
                    "Argument 1 can't be converted to a sequence.");
  }
  const list = [...signals];
  if (!list.every(isSignal)) {
    throw typeError(Interface, 'any', "Failed to convert value to 'AbortSignal'.", 'Element of argument 1 is not an object.');
  }
  return list;
}

// The signal follows others: aborted when the first of them is.
function makeDependent(signal, list) {
  const insides = insidesOf(signal);
  const aborted = list.find((one) => insidesOf(one).aborted);
  if (aborted) {
    insides.aborted = true;
    insides.reason = insidesOf(aborted).reason;
    return signal;
  }
  // It depends on those that have no sources themselves.
  insides.sources = new Set();
  for (const one of list) {
    for (const source of insidesOf(one).sources ?? [one]) {
      insides.sources.add(source);
      insidesOf(source).dependents.add(signal);
    }
  }
  return signal;
}

// All that depend on it are aborted before the first of the events.
function signalAbort(signal, reason) {
  const insides = insidesOf(signal);
  if (insides.aborted) return;
  const mark = (one) => {
    insidesOf(one).aborted = true;
    insidesOf(one).reason = insides.reason;
  };
  insides.reason = reason === undefined ? abortError() : reason;
  insides.aborted = true;
  const followers = [...insides.dependents].filter((one) => !insidesOf(one).aborted);
  followers.forEach(mark);
  for (const one of [signal, ...followers]) {
    const { algorithms } = insidesOf(one);
    for (const algorithm of [...algorithms]) algorithm();
    algorithms.clear();
    dispatch(one, makeEvent(Event, 'abort'));
  }
}

let isController;
const makers = { signal: () => new AbortSignal(kKey) };
class AbortController {
  #signal;
  static { isController = (value) => isObject(value) && #signal in value; }
  constructor() { this.#signal = makers.signal(new.target, arguments); }
  get signal() { return this.#signal; }
  abort() { signalAbort(this.#signal, arguments[0]); }
}
describe(AbortController, isController, {
  inspect() { return `AbortController {signal: AbortSignal {aborted: ${this.signal.aborted}}}`; },
});

module.exports = {
  AbortController, AbortSignal, abortError, insidesOf, isController, isSignal, makeDependent, makers, readSignals, signalAbort,
};
