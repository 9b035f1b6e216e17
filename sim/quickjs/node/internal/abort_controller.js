// AbortController and AbortSignal (lib/internal/abort_controller.js).
'use strict';

const { DOMException } = require('internal/dom_exception');
const { makeNodeError } = require('internal/errors');
const {
  Event, EventTarget, defineEventHandler, inspectAs, invalidThis, kNewListener, kTrustEvent, makeEnumerable, tag,
} = require('internal/event_target');
const { markOwn } = require('internal/listeners');
const { atLeast, has } = require('internal/version');
const { invalidArgType, validateInteger } = require('internal/validate');
const { kMaxEventTargetListeners } = require('events');

const kAborted = Symbol('kAborted');
const kReason = Symbol('kReason');
const kSources = Symbol('kSourceSignals');
const kDependants = Symbol('kDependantSignals');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

function isSignal(value) { return value?.[kAborted] !== undefined; }
function checkThis(signal) { if (!isSignal(signal)) throw invalidThis('AbortSignal'); }

class AbortSignal extends EventTarget {
  constructor() {
    super();
    throw makeNodeError(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
  }

  get aborted() {
    checkThis(this);
    look(this);
    return !!this[kAborted];
  }
  get reason() {
    checkThis(this);
    look(this);
    return this[kReason];
  }
  throwIfAborted() {
    checkThis(this);
    look(this);
    if (this[kAborted]) throw this[kReason];
  }
  [kInspect](depth, options) { return inspectAs(this.constructor.name, { aborted: this.aborted }, depth, options); }

  // In Node 24 a composite signal follows its sources from its first listener on; until then it looks when it is asked.
  [kNewListener](size, type) {
    super[kNewListener](size, type);
    if (!atLeast(24) || atLeast(26) || type !== 'abort' || size !== 1 || this[kAborted]) return;
    for (const source of this[kSources] ?? []) (source[kDependants] ??= new Set()).add(this);
  }

  static abort(reason = defaultReason()) {
    const signal = makeSignal();
    signal[kAborted] = true;
    signal[kReason] = reason;
    return signal;
  }

  // Its timer does not keep the loop alive.
  static timeout(delay) {
    validateInteger(delay, 'delay', 0, 2 ** 32 - 1);
    const signal = makeSignal();
    const { setTimeout } = require('timers');
    setTimeout(markOwn(() => {
      abortSignal(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    }), delay).unref();
    return signal;
  }

  static any(signals) {
    checkSignals(signals);
    const result = makeSignal();
    result[kSources] = new Set();
    const follows = !atLeast(24) || atLeast(26);
    for (const signal of signals) {
      if (signal.aborted) {
        abortSignal(result, signal.reason);
        return result;
      }
      for (const source of signal[kSources] ?? [signal]) {
        if (result[kSources].has(source)) continue;
        result[kSources].add(source);
        if (follows) (source[kDependants] ??= new Set()).add(result);
      }
    }
    return result;
  }
}

function checkSignals(signals) {
  if (atLeast(22)) {
    if (signals == null || typeof signals[Symbol.iterator] !== 'function') {
      throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE',
                          atLeast(24) ? 'signals cannot be converted to sequence.' : 'Value can not be converted to sequence.');
    }
  } else if (!Array.isArray(signals)) {
    throw invalidArgType('signals', 'Array', signals);
  }
  [...signals].forEach((signal, i) => {
    if (isSignal(signal)) return;
    if (atLeast(24)) throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE', `signals[${i}] is not of type AbortSignal.`);
    throw invalidArgType(`signals[${i}]`, 'AbortSignal', signal);
  });
}

makeEnumerable(AbortSignal.prototype, ['aborted']);
tag(AbortSignal.prototype, 'AbortSignal');
defineEventHandler(AbortSignal.prototype, 'abort');

function look(signal) {
  if (!atLeast(24) || signal[kAborted]) return;
  for (const source of signal[kSources] ?? []) {
    if (source[kAborted]) return abortSignal(signal, source[kReason]);
  }
}

function defaultReason() { return new DOMException('This operation was aborted', 'AbortError'); }

function makeSignal() {
  const signal = new EventTarget();
  Object.setPrototypeOf(signal, AbortSignal.prototype);
  if (atLeast(24)) signal[kMaxEventTargetListeners] = 0;
  signal[kAborted] = false;
  signal[kReason] = undefined;
  return signal;
}

function runAbort(signal) { signal.dispatchEvent(new Event('abort', { [kTrustEvent]: true })); }

// Since Node 24 all signals that depend on one are aborted before any listener runs.
function abortSignal(signal, reason) {
  if (signal[kAborted]) return;
  signal[kAborted] = true;
  signal[kReason] = reason;
  if (!atLeast(24)) {
    runAbort(signal);
    signal[kDependants]?.forEach((dependant) => abortSignal(dependant, reason));
    return;
  }
  const aborted = [];
  signal[kDependants]?.forEach((dependant) => {
    if (dependant[kAborted]) return;
    dependant[kAborted] = true;
    dependant[kReason] = reason;
    aborted.push(dependant);
  });
  runAbort(signal);
  aborted.forEach(runAbort);
}

class AbortController {
  #signal;
  get signal() { return this.#signal ??= makeSignal(); }
  abort(reason = defaultReason()) { abortSignal(this.#signal ??= makeSignal(), reason); }
  [kInspect](depth, options) { return inspectAs(this.constructor.name, { signal: this.signal }, depth, options); }
}
makeEnumerable(AbortController.prototype, ['signal', 'abort']);
tag(AbortController.prototype, 'AbortController');

// What the version has not.
function restrict() {
  if (!has('17.3 16.14')) delete AbortSignal.timeout;
  if (!has('17.3 16.17')) delete AbortSignal.prototype.throwIfAborted;
  if (!has('17.2 16.14')) delete AbortSignal.prototype.reason;
  if (!has('15.12 14.17')) delete AbortSignal.abort;
  if (!has('20.3 18.17')) delete AbortSignal.any;
}

module.exports = { AbortController, AbortSignal, restrict };
