// MessageChannel, MessagePort and BroadcastChannel (lib/internal/worker/io.js, src/node_messaging.cc).
//
// An End holds the messages for one side of a channel; a MessagePort is an object with a handle that has an end, until it is
// closed or its end is moved to another port. Node's Ports wakes the loop, and asks here for one message after another.
'use strict';

const native = internalBinding;
const {
  Event, EventTarget, NodeEventTarget, defineEventHandler, init, inspectAs, invalidThis, kCreateEvent, kDispatch, kNewListener,
  kRemoveListener, makeEnumerable, missingArgs, tag,
} = require('internal/event_target');
const { makeNodeError } = require('internal/errors');
const { DOMException } = require('internal/dom_exception');
const EventEmitter = require('events');
const { callListener, markOwn } = require('internal/listeners');
const { invalidArgType } = require('internal/validate');
const { atLeast, removeAbsent } = require('internal/version');
const { copyWith } = require('internal/structured_clone');

const kPort = Symbol('kPort');
const kData = Symbol('kData');
const kPorts = Symbol('kPorts');
const kReceivedPorts = Symbol('kCurrentlyReceivingPorts');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kClose = Symbol('close message');
const kOnMessage = Symbol('kOnMessageListener');
const method = (letter) => letter.charCodeAt(0);

const open = new Map();      // ports by their handles
const channels = new Map();  // groups of ends by the name of a BroadcastChannel

class MessageEvent extends Event {
  #origin;
  #lastEventId;
  #source;
  constructor(type, { data = null, origin = '', lastEventId = '', source = null, ports = [] } = {}) {
    super(type);
    this[kData] = data;
    this.#origin = `${origin}`;
    this.#lastEventId = `${lastEventId}`;
    this.#source = source;
    this[kPorts] = [...ports];
    if (source !== null && !isPort(source)) throw invalidArgType('init.source', 'MessagePort', source);
  }
  static #check(event) {
    if (typeof event === 'object' && event !== null && #origin in event) return event;
    throw atLeast(22) ? makeNodeError(TypeError, 'ERR_INVALID_THIS', 'Illegal invocation') : invalidThis('MessageEvent');
  }
  get data() { return MessageEvent.#check(this)[kData]; }
  get origin() { return MessageEvent.#check(this).#origin; }
  get lastEventId() { return MessageEvent.#check(this).#lastEventId; }
  get source() { return MessageEvent.#check(this).#source; }
  get ports() { return MessageEvent.#check(this)[kPorts]; }
}
makeEnumerable(MessageEvent.prototype, ['data', 'origin', 'lastEventId', 'source', 'ports']);

class End {
  messages = [];
  port = undefined;   // the state of the port that has it
  others = new Set(); // the ends that get what is posted here
  isChannel = false;  // of a BroadcastChannel

  receive(message) {
    this.messages.push(message);
    if (this.port) native.portMethod(this.port.handle, method('s'));
  }
  post(message) { for (const other of this.others) other.receive(message()); }

  // Its port is closed: so is the other one, once it has had its messages.
  disentangle() {
    for (const other of this.others) {
      other.others.delete(this);
      if (!this.isChannel) other.receive(kClose);
    }
    this.others.clear();
  }
}

function entangle(...ends) {
  for (const end of ends) for (const other of ends) if (other !== end) end.others.add(other);
}

// ---- ports ----------------------------------------------------------------------------------------------------------

const states = new WeakMap();  // of ports

function isPort(value) { return typeof value === 'object' && value !== null && states.has(value); }

function stateOf(port) {
  const state = states.get(port);
  if (!state) throw invalidThis('MessagePort');
  return state;
}

// The second argument of postMessage(): a list, or an object that may have one.
function transferOf(options) {
  if (options == null) return [];
  const isObject = typeof options === 'object';
  const isList = isObject && typeof options[Symbol.iterator] === 'function';
  const list = !isObject || isList ? options : options.transfer;
  if (list === undefined) return [];
  if (list !== null && typeof list === 'object' && typeof list[Symbol.iterator] === 'function') return [...list];
  throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE',
                      `Optional ${isObject ? 'options.transfer' : 'transferList'} argument must be an iterable`);
}

function isReferenced(state) { return state.end !== undefined && native.portMethod(state.handle, method('h')); }

class MessagePort extends NodeEventTarget {
  constructor() {
    super();
    throw makeNodeError(TypeError, 'ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called');
  }

  postMessage(value, options) {
    const { end, isClosing } = stateOf(this);
    if (arguments.length === 0) throw new TypeError('Not enough arguments to MessagePort.postMessage');
    const transfer = transferOf(options);
    if (transfer.includes(this)) throw new DOMException('Transfer list contains source port', 'DataCloneError');
    const message = copyWith(value, transfer);
    if (!isClosing || !atLeast(14)) end?.post(() => message);
  }

  start() {
    const state = stateOf(this);
    if (!state.end) return;
    state.isReceiving = true;
    if (state.end.messages.length) native.portMethod(state.handle, method('s'));
  }

  close(callback) {
    const state = stateOf(this);
    if (typeof callback === 'function') this.once('close', callback);
    state.isClosing = true;
    native.portMethod(state.handle, method('c'));
  }

  ref() { if (stateOf(this).end) native.portMethod(states.get(this).handle, method('r')); }
  unref() { if (stateOf(this).end) native.portMethod(states.get(this).handle, method('u')); }
  hasRef() { return isReferenced(stateOf(this)); }

  // The first listener of 'message' starts the port, and keeps the loop alive; so it is until the last one is gone.
  [kNewListener](size, type) {
    if (type === 'message' && size === 1) {
      this.ref();
      this.start();
    }
    super[kNewListener](size, type);
  }
  [kRemoveListener](size, type) {
    if (type === 'message' && size === 0) {
      const state = stateOf(this);
      if (state.end) state.isReceiving = false;
      this.unref();
    }
    super[kRemoveListener](size, type);
  }

  [kCreateEvent](data, type) {
    if (type !== 'message' && type !== 'messageerror') return super[kCreateEvent](data, type);
    const ports = this[kReceivedPorts];
    this[kReceivedPorts] = undefined;
    return new MessageEvent(type, { data, ports });
  }

  [kInspect]() {
    const state = states.get(this);
    if (!state) return this;
    const shown = state.end ? { active: true, refed: isReferenced(state) } : { active: false };
    return Object.assign({ __proto__: MessagePort.prototype }, shown, atLeast(14) ? undefined : this);
  }
}
defineEventHandler(MessagePort.prototype, 'message');
defineEventHandler(MessagePort.prototype, 'messageerror');
makeEnumerable(MessagePort.prototype, ['postMessage', 'start', 'close', 'ref', 'unref', 'hasRef']);

function makeTarget() {
  const port = new EventTarget();
  Object.setPrototypeOf(port, MessagePort.prototype);
  init(port);
  port[kReceivedPorts] = undefined;
  return port;
}

function makeEmitter() {
  const port = Object.create(MessagePort.prototype);
  port.on('newListener', (name) => {
    if (name !== 'message' || port.listenerCount(name) !== 0) return;
    port.ref();
    port.start();
  });
  port.on('removeListener', (name) => {
    if (name === 'message' && port.listenerCount(name) === 0) stopEmitter(port);
  });
  return port;
}

function stopEmitter(port) {
  const state = states.get(port);
  if (state.end) state.isReceiving = false;
  port.unref();
}

// Until Node 14 a port is an EventEmitter, whose onmessage() emits 'message', unless the program sets another one.
function makeEmitters() {
  const { prototype } = MessagePort;
  Object.setPrototypeOf(MessagePort, EventEmitter);
  Object.setPrototypeOf(prototype, EventEmitter.prototype);
  for (const key of [kNewListener, kRemoveListener, kCreateEvent, 'onmessageerror']) delete prototype[key];
  Object.defineProperty(prototype, kOnMessage, {
    __proto__: null,
    value: function onmessage(event) { this.emit('message', event.data); },
    writable: true,
    enumerable: true,
    configurable: true,
  });
  Object.defineProperty(prototype, 'onmessage', {
    __proto__: null,
    get() { return this[kOnMessage]; },
    set(value) {
      this[kOnMessage] = value;
      native.noteListener?.(this, 'message', value);
      if (typeof value !== 'function') return stopEmitter(this);
      this.ref();
      this.start();
    },
    enumerable: true,
    configurable: true,
  });
}

function tell(port, message) {
  if (atLeast(14)) {
    port[kReceivedPorts] = message.ports;
    port[kDispatch]('message', message.copy, undefined);
    return;
  }
  const { onmessage } = port;
  if (typeof onmessage === 'function') callListener(onmessage, port, [{ target: port, data: message.copy }], 'message');
}

function makePort(end) {
  const port = atLeast(14) ? makeTarget() : makeEmitter();
  const handle = native.makePort();
  const state = { handle, end, isReceiving: false, isClosing: false, port, context: native.asyncContext() };
  states.set(port, state);
  open.set(handle, state);
  end.port = state;
  native.portMethod(handle, method('u'));
  if (end.messages.length) native.portMethod(handle, method('s'));
  return port;
}

// The port's end in a new port; the old one closes.
function movePort(port) {
  const state = stateOf(port);
  const { end } = state;
  if (!end) throw new DOMException('MessagePort in transfer list is already detached', 'DataCloneError');
  native.portMethod(state.handle, method('c'));
  state.end = undefined;
  end.port = undefined;
  return makePort(end);
}

class MessageChannel {
  constructor() {
    const ends = [new End(), new End()];
    this.port1 = makePort(ends[0]);
    this.port2 = makePort(ends[1]);
    entangle(...ends);
  }
}

// What throws leaves its context as the current one.
function inContext(state, callback) {
  const outer = native.asyncContext();
  native.asyncContext(state.context);
  try {
    callback();
  } finally {
    if (!atLeast(24)) state.context = native.asyncContext();
  }
  native.asyncContext(outer);
}

// ---- called by Node -------------------------------------------------------------------------------------------------

function deliver(handle, counts) {
  const state = open.get(handle);
  if (counts) return state?.end?.messages.length ?? 0;
  if (!state?.end) return false;
  const { messages } = state.end;
  if (!messages.length || (!state.isReceiving && messages[0] !== kClose)) return false;
  const message = messages.shift();
  if (message === kClose) {
    native.portMethod(handle, method('c'));
    return false;
  }
  inContext(state, () => tell(state.port, message));
  return true;
}

function closed(handle) {
  const state = open.get(handle);
  open.delete(handle);
  const { end } = state;
  state.end = undefined;
  if (end) {
    end.port = undefined;
    end.disentangle();
  }
  inContext(state, () => { if (atLeast(14)) state.port.dispatchEvent(new Event('close')); else state.port.emit('close'); });
}

function receiveMessageOnPort(port) {
  if (!isPort(port)) {
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance');
  }
  const messages = states.get(port).end?.messages;
  if (!messages?.length || messages[0] === kClose) return undefined;
  return { message: messages.shift().copy };
}

// ---- BroadcastChannel -----------------------------------------------------------------------------------------------

class BroadcastChannel extends EventTarget {
  #name;
  #port;
  #onMessage = markOwn((data) => this.dispatchEvent(new MessageEvent('message', { data })));

  constructor(name) {
    if (arguments.length === 0) throw missingArgs('name');
    super();
    this.#name = `${name}`;
    const end = new End();
    end.isChannel = true;
    const group = channels.get(this.#name) ?? new Set();
    channels.set(this.#name, group);
    for (const other of group) entangle(end, other);
    group.add(end);
    this.#port = makePort(end);
    this.#port.on('message', this.#onMessage);
  }

  get name() { return this.#name; }

  close() {
    if (!this.#port) return;
    channels.get(this.#name).delete(states.get(this.#port).end);
    this.#port.off('message', this.#onMessage);
    this.#port.close();
    this.#port = undefined;
  }

  postMessage(message) {
    if (arguments.length === 0) throw missingArgs('message');
    if (!this.#port) {
      throw new DOMException('BroadcastChannel is closed.', atLeast(20) ? 'InvalidStateError' : undefined);
    }
    const { copy } = copyWith(message);
    states.get(this.#port).end.post(() => ({ copy: copyWith(copy).copy, ports: [] }));
  }

  ref() {
    this.#port?.ref();
    return this;
  }
  unref() {
    this.#port?.unref();
    return this;
  }

  [kInspect](depth, options) {
    return inspectAs('BroadcastChannel', { name: this.#name, active: this.#port !== undefined }, depth, options);
  }
}
makeEnumerable(BroadcastChannel.prototype, ['name', 'close', 'postMessage']);
defineEventHandler(BroadcastChannel.prototype, 'message');
defineEventHandler(BroadcastChannel.prototype, 'messageerror');

// In a process that begins.
function startPorts() {
  if (!atLeast(14)) makeEmitters();
  removeAbsent([[MessagePort.prototype, 'hasRef', '18.1 16.17']]);
  native.watchPorts(deliver, closed);
}

module.exports = {
  BroadcastChannel, MessageChannel, MessageEvent, MessagePort, isPort, movePort, receiveMessageOnPort, startPorts,
};
