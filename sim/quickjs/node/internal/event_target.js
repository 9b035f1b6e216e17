// EventTarget, Event and CustomEvent (lib/internal/event_target.js).
'use strict';

const native = internalBinding;
const EventEmitter = require('events');
const { makeNodeError } = require('internal/errors');
const { inspect } = require('internal/inspect');
const { callListener, markOwn } = require('internal/listeners');
const { internalTick } = require('internal/ticks');
const { atLeast } = require('internal/version');
const { invalidArgType, validateAbortSignal, validateObject, validateString } = require('internal/validate');

const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = EventEmitter;
const kIsEventTarget = Symbol.for('nodejs.event_target');
const kEvents = Symbol('kEvents');
const kHandlers = Symbol('kHandlers');
const kStop = Symbol('kStop');
const kTarget = Symbol('kTarget');
const kIsBeingDispatched = Symbol('kIsBeingDispatched');
const kType = Symbol('type');
const kDetail = Symbol('detail');
const kTrustEvent = Symbol('kTrustEvent');
const kResistStopPropagation = Symbol('kResistStopPropagation');
const kNewListener = Symbol('kNewListener');
const kRemoveListener = Symbol('kRemoveListener');
const kDispatch = Symbol('kDispatch');
const kCreateEvent = Symbol('kCreateEvent');
const kIsNodeStyle = Symbol('kIsNodeStyleListener');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

function missingArgs(...names) {
  const list = names.map((name) => `"${name}"`);
  return makeNodeError(TypeError, 'ERR_MISSING_ARGS',
                       `The ${list.join(' and ')} argument${names.length > 1 ? 's' : ''} must be specified`);
}

function invalidThis(name) {
  return makeNodeError(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${name}`);
}

// As Node's own functions do that look at an object one level deeper.
function inspectAs(name, fields, depth, options) {
  if (depth < 0) return name;
  return `${name} ${inspect(fields, { ...options, depth: Number.isInteger(options?.depth) ? options.depth - 1 : options?.depth })}`;
}

const trusted = new WeakSet();
const isTrusted = Object.getOwnPropertyDescriptor({ get isTrusted() { return trusted.has(this); } }, 'isTrusted').get;

class Event {
  #cancelable = false;
  #bubbles = false;
  #composed = false;
  #isPrevented = false;
  #isStopped = false;
  #time = native.hrtime() / 1e6;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw missingArgs('type');
    if (options != null) validateObject(options, 'options');
    this.#bubbles = !!options?.bubbles;
    this.#cancelable = !!options?.cancelable;
    this.#composed = !!options?.composed;
    this[kType] = `${type}`;
    if (options?.[kTrustEvent]) trusted.add(this);
    this[kTarget] = null;
    this[kIsBeingDispatched] = false;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    if (arguments.length === 0) throw missingArgs('type');
    if (this[kIsBeingDispatched]) return;
    this[kType] = `${type}`;
    this.#bubbles = !!bubbles;
    this.#cancelable = !!cancelable;
  }

  stopImmediatePropagation() {
    this.#isStopped = true;
    this[kStop] = true;
  }
  preventDefault() { this.#isPrevented = true; }
  get target() { return this[kTarget]; }
  get currentTarget() { return this[kIsBeingDispatched] || !atLeast(20) ? this[kTarget] : null; }
  get srcElement() { return this[kTarget]; }
  get type() { return this[kType]; }
  get cancelable() { return this.#cancelable; }
  get defaultPrevented() { return this.#cancelable && this.#isPrevented; }
  get timeStamp() { return this.#time; }
  composedPath() { return this[kIsBeingDispatched] ? [this[kTarget]] : []; }
  get returnValue() { return !this.#cancelable || !this.#isPrevented; }
  get bubbles() { return this.#bubbles; }
  get composed() { return this.#composed; }
  get eventPhase() { return this[kIsBeingDispatched] ? Event.AT_TARGET : Event.NONE; }
  get cancelBubble() { return this.#isStopped; }
  set cancelBubble(value) { if (value) this.#isStopped = true; }
  stopPropagation() { this.#isStopped = true; }

  [kInspect](depth, options) {
    return inspectAs(this.constructor.name, {
      type: this[kType], defaultPrevented: this.#isPrevented, cancelable: this.#cancelable, timeStamp: this.#time,
    }, depth, options);
  }
}

function makeEnumerable(prototype, names) {
  for (const name of names) Object.defineProperty(prototype, name, { __proto__: null, enumerable: true });
}

function tag(prototype, name) {
  Object.defineProperty(prototype, Symbol.toStringTag, { __proto__: null, value: name, configurable: true });
}

makeEnumerable(Event.prototype, [
  'initEvent', 'stopImmediatePropagation', 'preventDefault', 'target', 'currentTarget', 'srcElement', 'type', 'cancelable',
  'defaultPrevented', 'timeStamp', 'composedPath', 'returnValue', 'bubbles', 'composed', 'eventPhase', 'cancelBubble',
  'stopPropagation',
]);
tag(Event.prototype, 'Event');
Object.defineProperty(Event.prototype, 'isTrusted', { __proto__: null, enumerable: true, get: isTrusted });
['NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE'].forEach((name, value) => {
  Object.defineProperty(Event, name, { __proto__: null, enumerable: true, value });
});

class CustomEvent extends Event {
  constructor(type, options = {}) {
    if (arguments.length === 0) throw missingArgs('type');
    super(type, options);
    this[kDetail] = options?.detail ?? null;
  }
  get detail() {
    if (this?.[kDetail] === undefined) throw invalidThis('CustomEvent');
    return this[kDetail];
  }
}
tag(CustomEvent.prototype, 'CustomEvent');
makeEnumerable(CustomEvent.prototype, ['detail']);

// ---- targets --------------------------------------------------------------------------------------------------------

function isEventTarget(value) { return value?.constructor?.[kIsEventTarget]; }

function checkThis(target) { if (!isEventTarget(target)) throw invalidThis('EventTarget'); }

// Whether the listener has an effect.
function checkListener(listener) {
  if (typeof listener === 'function' || (typeof listener === 'object' && listener !== null)) return true;
  if (listener == null) return false;
  throw invalidArgType('listener', 'EventListener', listener);
}

function readOptions(options) {
  if (typeof options === 'boolean') return { capture: options };
  if (options === null) return {};
  if (typeof options !== 'function') validateObject(options, 'options');
  return {
    once: Boolean(options.once), capture: Boolean(options.capture), passive: Boolean(options.passive),
    signal: options.signal, resists: options[kResistStopPropagation] ?? false, isNodeStyle: Boolean(options[kIsNodeStyle]),
  };
}

function throwLater(error) { internalTick(rethrow, error); }
function rethrow(error) { throw error; }

// The listeners of an event are linked, as in Node: what a listener adds or removes while an event is dispatched is called,
// or is not, by where its neighbours point.
class List {
  size = 0;
  next = undefined;  // the first one
  resists = false;

  find(listener, capture) {
    let entry = this.next;
    while (entry !== undefined && !(entry.listener === listener && entry.capture === capture)) entry = entry.next;
    return entry;
  }
  add(entry) {
    let last = this;
    while (last.next !== undefined) last = last.next;
    entry.previous = last;
    last.next = entry;
    ++this.size;
    this.resists ||= entry.resists;
  }
  // It still points to its neighbours.
  remove(entry) {
    entry.previous.next = entry.next;
    if (entry.next !== undefined) entry.next.previous = entry.previous;
    entry.isRemoved = true;
    --this.size;
  }
}

function init(target) {
  target[kEvents] = new Map();
  target[kMaxEventTargetListeners] = EventEmitter.defaultMaxListeners;
  target[kMaxEventTargetListenersWarned] = false;
  target[kHandlers] = new Map();
}

class EventTarget {
  static [kIsEventTarget] = true;

  constructor() { init(this); }

  [kNewListener](size, type) {
    const most = this[kMaxEventTargetListeners];
    if (!(most > 0 && size > most) || this[kMaxEventTargetListenersWarned]) return;
    this[kMaxEventTargetListenersWarned] = true;
    const limit = atLeast(20) ? ` MaxListeners is ${most}.` : '';
    const warning = new Error(`Possible EventTarget memory leak detected. ${size} ${type} listeners added to ` +
                              `${inspect(this, { depth: -1 })}.${limit} Use events.setMaxListeners() to increase limit`);
    warning.name = 'MaxListenersExceededWarning';
    warning.target = this;
    warning.type = type;
    warning.count = size;
    native.process.emitWarning(warning);
  }
  [kRemoveListener](/* size, type */) {}

  addEventListener(type, listener, options = {}) {
    checkThis(this);
    if (arguments.length < 2) throw missingArgs('type', 'listener');
    const { once = false, capture = false, passive = false, signal, resists = false, isNodeStyle = false } = readOptions(options);
    validateAbortSignal(signal, 'options.signal');
    if (signal) {
      if (signal.aborted) return;
      signal.addEventListener('abort', markOwn(() => this.removeEventListener(type, listener, options)),
                              { __proto__: null, once: true, [kResistStopPropagation]: true });
    }
    if (!checkListener(listener)) {
      const warning = new Error(`addEventListener called with ${listener} which has no effect.`);
      warning.name = 'AddEventListenerArgumentTypeWarning';
      warning.target = this;
      warning.type = type;
      native.process.emitWarning(warning);
      return;
    }
    type = `${type}`;
    const known = this[kEvents].get(type);
    if (known?.find(listener, capture)) return;
    const list = known ?? new List();
    native.noteListener?.(typeof listener === 'function' ? this : listener, type, listener);
    list.add({ listener, once, capture, passive, resists, isNodeStyle, isRemoved: false, next: undefined, previous: undefined });
    this[kNewListener](list.size, type);
    if (!known) this[kEvents].set(type, list);
  }

  removeEventListener(type, listener, options = {}) {
    checkThis(this);
    if (arguments.length < 2) throw missingArgs('type', 'listener');
    if (!checkListener(listener)) return;
    type = `${type}`;
    const capture = atLeast(22) && typeof options === 'boolean' ? options : options?.capture === true;
    const list = this[kEvents].get(type);
    const entry = list?.find(listener, capture);
    if (!entry) return;
    list.remove(entry);
    if (list.size === 0) this[kEvents].delete(type);
    this[kRemoveListener](list.size, type);
  }

  dispatchEvent(event) {
    checkThis(this);
    if (arguments.length < 1) throw missingArgs('event');
    if (!(event instanceof Event)) throw invalidArgType('event', 'Event', event);
    if (event[kIsBeingDispatched]) {
      throw makeNodeError(Error, 'ERR_EVENT_RECURSION', `The event "${event.type}" is already being dispatched`);
    }
    this[kDispatch](event.type, event, event);
    return event.defaultPrevented !== true;
  }

  // `data`: what listeners in the style of emitters get; `event`: undefined where it is made when a listener needs it.
  [kDispatch](type, data, event) {
    const show = () => {
      event[kTarget] = this;
      event[kIsBeingDispatched] = true;
    };
    if (event !== undefined) show();
    const list = this[kEvents].get(type);
    for (let entry = list?.next, next; entry !== undefined; entry = next) {
      if (event?.[kStop] === true && !(list.resists || entry.passive)) break;
      next = entry.next;
      if (entry.isRemoved || (event?.[kStop] === true && !entry.resists)) continue;
      if (entry.once) {
        list.remove(entry);
        this[kRemoveListener](list.size, type);
      }
      try {
        if (!entry.isNodeStyle && event === undefined) {
          event = this[kCreateEvent](data, type);
          show();
        }
        const argument = entry.isNodeStyle ? data : event;
        const { listener } = entry;
        const result = typeof listener === 'function' ? callListener(listener, this, [argument], type)
                                                      : handleEvent(listener, argument, type);
        if (!entry.isNodeStyle) event[kIsBeingDispatched] = false;
        const then = result === undefined || result === null ? undefined : result.then;
        if (typeof then === 'function') Reflect.apply(then, result, [undefined, throwLater]);
      } catch (error) {
        throwLater(error);
      }
    }
    if (event !== undefined) event[kIsBeingDispatched] = false;
  }

  [kCreateEvent](data, type) { return new CustomEvent(type, { detail: data }); }
  [kInspect](depth, options) { return inspectAs(this.constructor.name, {}, depth, options); }
}
makeEnumerable(EventTarget.prototype, ['addEventListener', 'removeEventListener', 'dispatchEvent']);
tag(EventTarget.prototype, 'EventTarget');

async function handleEvent(listener, event, type) {
  if (listener.handleEvent) await callListener(listener.handleEvent, listener, [event], type);
}

function listenersOf(target, type) {
  const all = [];
  for (let entry = target[kEvents].get(type)?.next; entry !== undefined; entry = entry.next) all.push(entry.listener);
  return all;
}

// target.on<name>: a listener at the place in the order where it was first set, whatever it is later.
function defineEventHandler(prototype, name) {
  Object.defineProperty(prototype, `on${name}`, {
    __proto__: null,
    get() { return this[kHandlers]?.get(name)?.handler ?? (atLeast(15) ? null : undefined); },
    set(value) {
      let known = this[kHandlers].get(name);
      if (known) {
        const list = this[kEvents].get(name) ?? { size: 0 };
        if (typeof known.handler === 'function') this[kRemoveListener](--list.size, name);
        known.handler = value;
        native.noteListener?.(this, name, value);
        if (typeof value === 'function') this[kNewListener](++list.size, name);
      } else {
        known = markOwn(function (event) {
          return typeof known.handler === 'function' ? callListener(known.handler, this, [event], name) : undefined;
        });
        known.handler = value;
        native.noteListener?.(this, name, value);
        this.addEventListener(name, known);
      }
      this[kHandlers].set(name, known);
    },
    configurable: true,
    enumerable: true,
  });
}

// With the methods of an emitter as well (MessagePort).
class NodeEventTarget extends EventTarget {
  static defaultMaxListeners = 10;
  setMaxListeners(n) { EventEmitter.setMaxListeners(n, this); }
  getMaxListeners() { return this[kMaxEventTargetListeners]; }
  eventNames() { return [...this[kEvents].keys()]; }
  listenerCount(type) { return this[kEvents].get(String(type))?.size ?? 0; }
  off(type, listener, options) {
    this.removeEventListener(type, listener, options);
    return this;
  }
  removeListener(type, listener, options) { return this.off(type, listener, options); }
  on(type, listener) {
    this.addEventListener(type, listener, { [kIsNodeStyle]: true });
    return this;
  }
  addListener(type, listener) { return this.on(type, listener); }
  once(type, listener) {
    this.addEventListener(type, listener, { once: true, [kIsNodeStyle]: true });
    return this;
  }
  emit(type, argument) {
    validateString(type, 'type');
    const had = this.listenerCount(type) > 0;
    this[kDispatch](type, argument, undefined);
    return had;
  }
  removeAllListeners(type) {
    if (type !== undefined) this[kEvents].delete(String(type));
    else this[kEvents].clear();
    return this;
  }
}

module.exports = {
  Event, EventTarget, CustomEvent, NodeEventTarget, defineEventHandler, isEventTarget, listenersOf, init, inspectAs, invalidThis,
  kCreateEvent, kDispatch, kNewListener, kRemoveListener, kResistStopPropagation, kTrustEvent, makeEnumerable, missingArgs, tag,
};
