// Events and their targets: listeners, handlers, dispatch (DOM standard, sections 2.2 to 2.10; HTML standard, event handlers).
'use strict';

const native = internalBinding;
const { constants, describe, kInspect } = require('web/webidl');
const {
  illegalInvocation, isFirefox, isObject, needArgs, needDictionary, plainError, prefixed, typeError, wrongMember, wrongType,
} = require('web/words');

const kNone = 0;
const kCapturing = 1;
const kAtTarget = 2;
const kBubbling = 3;

// What other files know of targets.
const hooks = {
  isNode: () => false,         // (target): whether it is a node of a document
  parentOf: () => null,        // (target, event): whom the event goes to next
  activationOf: () => null,    // (target, event): { before(), run(event), canceled() } of who does something when it is clicked
  signalOf: () => undefined,   // (value): the insides of an AbortSignal
  report() {},                 // (error): as an uncaught exception
};

// ---- Event -----------------------------------------------------------------------------------------------------------------

let stateOf;
let isEvent;
const { get: getIsTrusted } = { get() {
  if (!isEvent(this)) throw illegalInvocation('Event', 'get isTrusted');
  return stateOf(this).isTrusted;
} };
Object.defineProperty(getIsTrusted, 'name', { value: 'get isTrusted' });

class Event {
  #state;
  static {
    stateOf = (event) => event.#state;
    isEvent = (value) => isObject(value) && #state in value;
  }
  constructor(type) {
    needArgs('Event', undefined, arguments, 1);
    const init = needDictionary('Event', undefined, arguments[1], 'EventInit', 2);
    this.#state = {
      type: `${type}`, bubbles: Boolean(init.bubbles), cancelable: Boolean(init.cancelable), composed: Boolean(init.composed),
      isTrusted: false, isInitialized: true, timeStamp: native.time(), target: null, currentTarget: null, phase: kNone, path: [],
      stops: false, stopsNow: false, isCanceled: false, isPassive: false, isDispatched: false,
    };
    Object.defineProperty(this, 'isTrusted', { get: getIsTrusted, enumerable: true, configurable: false });
  }
  get type() { return this.#state.type; }
  get target() { return this.#state.target; }
  get srcElement() { return this.#state.target; }
  get currentTarget() { return this.#state.currentTarget; }
  get eventPhase() { return this.#state.phase; }
  get bubbles() { return this.#state.bubbles; }
  get cancelable() { return this.#state.cancelable; }
  get defaultPrevented() { return this.#state.isCanceled; }
  get composed() { return this.#state.composed; }
  get timeStamp() { return this.#state.timeStamp; }
  get returnValue() { return !this.#state.isCanceled; }
  set returnValue(value) { if (!value) cancel(this.#state); }
  get cancelBubble() { return this.#state.stops; }
  set cancelBubble(value) { if (value) this.#state.stops = true; }
  composedPath() {
    const { currentTarget, path } = this.#state;
    return currentTarget === null ? [] : path.slice();
  }
  stopPropagation() { this.#state.stops = true; }
  stopImmediatePropagation() { this.#state.stops = this.#state.stopsNow = true; }
  preventDefault() { cancel(this.#state); }
  initEvent(type, bubbles = false, cancelable = false) {
    needArgs('Event', 'initEvent', arguments, 1);
    const state = this.#state;
    if (state.isDispatched) return;
    Object.assign(state, {
      type: `${type}`, bubbles: Boolean(bubbles), cancelable: Boolean(cancelable), isInitialized: true, stops: false, stopsNow: false,
      isCanceled: false, isTrusted: false, target: null,
    });
  }
}
function cancel(state) { if (state.cancelable && !state.isPassive) state.isCanceled = true; }
describe(Event, isEvent, { inspect() { return `${this.constructor?.name ?? 'Event'} {isTrusted: ${this.isTrusted}}`; } });
constants(Event, { NONE: kNone, CAPTURING_PHASE: kCapturing, AT_TARGET: kAtTarget, BUBBLING_PHASE: kBubbling });

// An event that the browser makes itself.
function makeEvent(Class, type, init, isTrusted = true) {
  const event = new Class(type, init);
  stateOf(event).isTrusted = isTrusted;
  return event;
}

// ---- EventTarget -------------------------------------------------------------------------------------------------------------

let listenersOf;
let isTarget;
const listenersOfWindow = [];  // the global object is no object of the class

class EventTarget {
  #listeners = [];
  static {
    listenersOf = (target) => (target === globalThis ? listenersOfWindow : target.#listeners);
    isTarget = (value) => value === globalThis || (isObject(value) && #listeners in value);
  }
  addEventListener(type, callback) {
    needArgs('EventTarget', 'addEventListener', arguments, 2);
    const { capture, once, passive, signal } = readOptions(arguments[2]);
    checkCallback('addEventListener', callback);
    if (signal !== undefined && hooks.signalOf(signal) === undefined) {
      throw wrongMember('EventTarget', 'addEventListener', 'AddEventListenerOptions', 'signal', 'AbortSignal');
    }
    addListener(this, { type: `${type}`, callback, capture, once, passive, signal });
  }
  removeEventListener(type, callback) {
    needArgs('EventTarget', 'removeEventListener', arguments, 2);
    checkCallback('removeEventListener', callback);
    const { capture } = readOptions(arguments[2]);
    const name = `${type}`;
    const listeners = listenersOf(this);
    const found = listeners.find((one) => one.type === name && one.callback === callback && one.capture === capture);
    if (found) removeListener(listeners, found);
  }
  dispatchEvent(event) {
    needArgs('EventTarget', 'dispatchEvent', arguments, 1);
    if (!isEvent(event)) throw wrongType('EventTarget', 'dispatchEvent', 1, 'Event', event);
    const state = stateOf(event);
    if (state.isDispatched || !state.isInitialized) {
      throw plainError('InvalidStateError', 'EventTarget', 'dispatchEvent',
                       state.isDispatched ? 'The event is already being dispatched.' : 'The event provided is uninitialized.',
                       'An attempt was made to use an object that is not, or is no longer, usable');
    }
    state.isTrusted = false;
    return dispatch(this, event);
  }
}
describe(EventTarget, isTarget);

function readOptions(options) {
  if (!isObject(options)) return { capture: Boolean(options), once: false, passive: undefined, signal: undefined };
  const { capture, once, passive, signal } = options;
  return { capture: Boolean(capture), once: Boolean(once), passive, signal };
}

function checkCallback(member, callback) {
  if (callback === null || callback === undefined || isObject(callback)) return;
  throw isFirefox() ? typeError('EventTarget', member, 'Argument 2 is not an object.') :
    new TypeError(prefixed('EventTarget', member, "parameter 2 is not of type 'Object'."));
}

// Touches and wheels above all elements are passive unless the program says otherwise.
const kPassive = new Set(['touchstart', 'touchmove', 'wheel', 'mousewheel']);
function isPassiveByDefault(target, type) {
  if (!kPassive.has(type)) return false;
  const { document } = globalThis;
  return target === globalThis || target === document || target === document?.documentElement || target === document?.body;
}

// A listener: { type, callback, capture, once, passive, signal, handler, isRemoved }.
function addListener(target, listener) {
  const signal = hooks.signalOf(listener.signal);
  if (signal?.aborted || listener.callback === null || listener.callback === undefined) return;
  listener.passive = listener.passive === undefined ? isPassiveByDefault(target, listener.type) : Boolean(listener.passive);
  const listeners = listenersOf(target);
  const { type, callback, capture } = listener;
  if (listeners.some((one) => one.type === type && one.callback === callback && one.capture === capture)) return;
  listener.place = native.placeOf(listener.handler ? undefined : callback);
  listeners.push(listener);
  signal?.algorithms.add(() => removeListener(listeners, listener));
}

function removeListener(listeners, listener) {
  listener.isRemoved = true;
  const at = listeners.indexOf(listener);
  if (at >= 0) listeners.splice(at, 1);
}

const hasListeners = (target, type) => listenersOf(target).some((one) => one.type === type);

// ---- dispatch ----------------------------------------------------------------------------------------------------------------

let current;  // window.event
const currentEvent = () => current;

// Fires an event at the target. False: a listener has prevented the default.
function dispatch(target, event) {
  const state = stateOf(event);
  state.isDispatched = true;
  state.target = target;
  state.path = [];
  let activation = null;
  for (let at = target; at !== null; at = hooks.parentOf(at, event)) {
    state.path.push(at);
    if (activation === null && (at === target || state.bubbles)) activation = hooks.activationOf(at, event);
  }
  const { path } = state;
  activation?.before?.();
  // Chrome calls listeners in the order in which they were added, looks at stopImmediatePropagation() alone, and does not forget what was
  // stopped: so an event that is dispatched again at a node reaches nobody there.
  const isAlone = path.length === 1 && !isFirefox() && !hooks.isNode(target);
  if (isAlone) {
    invoke(target, event, state, kAtTarget);
  } else {
    for (let i = path.length - 1; i >= 0; i--) invoke(path[i], event, state, i === 0 ? kAtTarget : kCapturing, true);
    for (let i = 0; i < path.length && (i === 0 || state.bubbles); i++) {
      invoke(path[i], event, state, i === 0 ? kAtTarget : kBubbling, false);
    }
  }
  state.phase = kNone;
  state.currentTarget = null;
  state.path = [];
  state.isDispatched = false;
  if (!isAlone) state.stops = state.stopsNow = false;
  if (state.isCanceled) activation?.canceled?.();
  else activation?.run(event);
  return !state.isCanceled;
}

// isCapture: undefined for both kinds of listeners.
function invoke(target, event, state, phase, isCapture) {
  if (isCapture === undefined ? state.stopsNow : state.stops) return;
  const listeners = listenersOf(target);
  if (listeners.length === 0) return;
  state.phase = phase;
  state.currentTarget = target;
  for (const listener of listeners.slice()) {
    if (listener.isRemoved || listener.type !== state.type) continue;
    if (isCapture !== undefined && listener.capture !== isCapture) continue;
    if (listener.once) removeListener(listeners, listener);
    const before = current;
    current = event;
    state.isPassive = listener.passive;
    callBack(listener, target, event, state);
    state.isPassive = false;
    current = before;
    if (state.stopsNow) return;
  }
}

function callBack(listener, target, event, state) {
  if (listener.handler) {
    callHandler(listener, target, event, state);
    return;
  }
  let { callback } = listener;
  if (typeof callback === 'function') {
    native.callListener(state.type, callback, target, [event], undefined, listener.place);
    return;
  }
  // An object whose method it is: the method is looked up now.
  try {
    callback = callback.handleEvent;
    if (typeof callback !== 'function') {
      throw isFirefox() ? new TypeError('EventListener.handleEvent is not callable.') :
        new TypeError("Failed to execute 'handleEvent' on 'EventListener': The provided callback is not callable.");
    }
  } catch (error) {
    hooks.report(error);
    return;
  }
  native.callListener(state.type, callback, listener.callback, [event], undefined, listener.place);
}

// ---- handlers: onclick and its like --------------------------------------------------------------------------------------------

const handlersOf = new WeakMap();  // by target: handlers by type

function callHandler({ handler, place }, target, event, state) {
  const callback = handler.value();
  if (callback === null) return;
  const isError = state.type === 'error' && target === globalThis && 'error' in event && 'lineno' in event;
  const result = native.callListener(state.type, callback, target,
                                     isError ? [event.message, event.filename, event.lineno, event.colno, event.error] : [event],
                                     undefined, callback.name === '' ? place : undefined);
  if (isError ? result === true : result === false) cancel(state);
}

function getHandler(target, type) {
  return handlersOf.get(target)?.get(type)?.value() ?? null;
}

// `value`: a function, an object or null; `compile`, of an attribute in the markup, gives it when it is needed first.
function setHandler(target, type, value, compile) {
  if (!handlersOf.has(target)) handlersOf.set(target, new Map());
  const handlers = handlersOf.get(target);
  const known = handlers.get(type);
  if (value === null) {
    if (known) removeListener(listenersOf(target), known.listener);
    handlers.delete(type);
    return;
  }
  let callback = value;
  let toCompile = compile;
  const read = () => {
    if (toCompile) {
      const make = toCompile;
      toCompile = undefined;
      callback = make();
    }
    return callback;
  };
  // One that has a value already keeps its place among the listeners.
  if (known) {
    known.value = read;
    return;
  }
  const handler = { value: read };
  handler.listener = { type, callback: handler, capture: false, once: false, passive: undefined, handler };
  handlers.set(type, handler);
  addListener(target, handler.listener);
}

// Defines the attribute on<type> of a prototype or of an object.
function defineHandler(object, type, { isOne = isTarget, targetOf = (receiver) => receiver, onSet } = {}) {
  const key = `on${type}`;
  const { get, set } = {
    get() {
      const receiver = this ?? globalThis;
      if (!isOne(receiver)) throw illegalInvocation('EventTarget', `get ${key}`);
      return getHandler(targetOf(receiver), type);
    },
    set(value) {
      const receiver = this ?? globalThis;
      if (!isOne(receiver)) throw illegalInvocation('EventTarget', `set ${key}`);
      setHandler(targetOf(receiver), type, isObject(value) ? value : null);
      onSet?.(receiver);
    },
  };
  Object.defineProperty(get, 'name', { value: `get ${key}` });
  Object.defineProperty(set, 'name', { value: `set ${key}` });
  Object.defineProperty(object, key, { get, set, enumerable: true, configurable: true });
}

module.exports = {
  Event, EventTarget, addListener, currentEvent, defineHandler, dispatch, getHandler, hasListeners, hooks, isEvent, isTarget, kInspect,
  makeEvent, setHandler, stateOf,
};
