// MessageChannel, MessagePort, BroadcastChannel and window.postMessage() (HTML standard, section 9).
'use strict';

const native = internalBinding;
const { MessageEvent } = require('web/events');
const { EventTarget, defineHandler, dispatch, makeEvent } = require('web/event_target');
const { cloneWith, ports, readTransfer } = require('web/structured_clone');
const { DOMException } = require('web/dom_exception');
const { describe, kKey } = require('web/webidl');
const { domError, illegalConstructor, isFirefox, isObject, needArgs, prefixed } = require('web/words');

function needMessage(Interface, args) {
  if (args.length > 0) return;
  throw isFirefox() ? new TypeError(prefixed(Interface, 'postMessage', '', '0 is not a valid argument count for any overload.')) :
    new TypeError(prefixed(Interface, 'postMessage', '1 argument required, but only 0 present.'));
}

// ---- ports ---------------------------------------------------------------------------------------------------------------------------

// Each port is a task source of its own, and so are all broadcasts together; the window's is 0.
const kBroadcasts = 1;
let lastLine = kBroadcasts;

// One end of a channel: what moves when its port is transferred. queue: messages that wait until the port is started.
class End {
  peer = null;
  port = null;
  isStarted = false;
  isClosed = false;
  line = ++lastLine;
  queue = [];
  receive(message) {
    if (this.isClosed) return;
    this.queue.push(message);
    if (this.isStarted) this.#post();
  }
  start() {
    if (this.isStarted) return;
    this.isStarted = true;
    for (let i = 0; i < this.queue.length; i++) this.#post();
  }
  // Each message is a task; one whose port has moved by then finds the message in the queue of the new one.
  #post() {
    native.queueTask('message', () => {
      if (!this.isStarted || this.isClosed || this.queue.length === 0) return;
      const { value, ports: list } = this.queue.shift();
      dispatch(this.port, makeEvent(MessageEvent, 'message', { data: value, ports: list }));
    }, [], 0, 1, undefined, this.line);
  }
}

let endOf;
let isPort;
class MessagePort extends EventTarget {
  #end;
  static {
    endOf = (port) => port.#end;
    isPort = (value) => isObject(value) && #end in value;
    ports.move = (port) => {
      const end = port.#end;
      port.#end = null;
      end.isStarted = false;
      return new MessagePort(kKey, end);
    };
  }
  static length = 0;
  constructor(key, end) {
    if (key !== kKey) throw illegalConstructor('MessagePort');
    super();
    this.#end = end;
    end.port = this;
  }
  postMessage(message) {
    needMessage('MessagePort', arguments);
    const items = readTransfer(arguments[1], 'MessagePort', 'postMessage');
    const copy = cloneWith(message, items, 'MessagePort', 'postMessage', this);
    this.#end?.peer?.receive(copy);
  }
  start() { this.#end?.start(); }
  close() {
    const end = this.#end;
    if (end === null) return;
    end.isClosed = true;
    if (end.peer !== null) end.peer.peer = null;
    end.peer = null;
  }
}
describe(MessagePort, isPort, { inspect() { return 'MessagePort {}'; } });
ports.isPort = (value) => isPort(value);
ports.isDetached = (port) => endOf(port) === null;
// Who sets the handler wants the messages.
defineHandler(MessagePort.prototype, 'message', { isOne: (value) => isPort(value), onSet: (port) => port.start() });
defineHandler(MessagePort.prototype, 'messageerror', { isOne: (value) => isPort(value) });

let isChannel;
class MessageChannel {
  #port1;
  #port2;
  static { isChannel = (value) => isObject(value) && #port1 in value; }
  constructor() {
    const ends = [new End(), new End()];
    [ends[0].peer, ends[1].peer] = [ends[1], ends[0]];
    [this.#port1, this.#port2] = ends.map((end) => new MessagePort(kKey, end));
  }
  get port1() { return this.#port1; }
  get port2() { return this.#port2; }
}
describe(MessageChannel, isChannel, { inspect() { return 'MessageChannel {port1: MessagePort, port2: MessagePort}'; } });

// ---- BroadcastChannel ------------------------------------------------------------------------------------------------------------

const broadcasts = [];  // in the order of their creation
let isBroadcast;
class BroadcastChannel extends EventTarget {
  #name;
  #isClosed = false;
  static { isBroadcast = (value) => isObject(value) && #name in value; }
  constructor(name) {
    needArgs('BroadcastChannel', undefined, arguments, 1);
    super();
    this.#name = `${name}`;
    broadcasts.push(this);
  }
  get name() { return this.#name; }
  postMessage(message) {
    needArgs('BroadcastChannel', 'postMessage', arguments, 1);
    if (this.#isClosed) {
      throw isFirefox() ? new DOMException('An attempt was made to use an object that is not, or is no longer, usable',
                                           'InvalidStateError') :
        domError('InvalidStateError', 'BroadcastChannel', 'postMessage', 'Channel is closed');
    }
    for (const other of broadcasts.slice()) {
      if (other === this || other.#name !== this.#name) continue;
      const { value } = cloneWith(message, [], 'BroadcastChannel', 'postMessage');
      native.queueTask('message', () => {
        if (!other.#isClosed) dispatch(other, makeEvent(MessageEvent, 'message', { data: value, origin: globalThis.location.origin }));
      }, [], 0, 1, undefined, kBroadcasts);
    }
    if (!broadcasts.some((other) => other !== this && other.#name === this.#name)) {
      cloneWith(message, [], 'BroadcastChannel', 'postMessage');  // what cannot be copied fails all the same
    }
  }
  close() {
    this.#isClosed = true;
    const at = broadcasts.indexOf(this);
    if (at >= 0) broadcasts.splice(at, 1);
  }
}
describe(BroadcastChannel, isBroadcast);
for (const type of ['message', 'messageerror']) defineHandler(BroadcastChannel.prototype, type, { isOne: isBroadcast });

// ---- the window ------------------------------------------------------------------------------------------------------------------

// postMessage(message, targetOrigin, transfer) and postMessage(message, options).
function postMessage(message) {
  needMessage('Window', arguments);
  const [, second, third] = arguments;
  const isOptions = isObject(second) || second === undefined || second === null;
  const origin = isOptions ? `${second?.targetOrigin ?? '/'}` : `${second}`;
  const own = globalThis.location.origin;
  let isForUs = origin === '*' || origin === '/';
  if (!isForUs) {
    const { resolve } = require('web/url');
    const wanted = /^[a-z][-+.a-z\d]*:/i.test(origin) ? resolve(origin) : null;
    if (wanted === null) {
      throw isFirefox() ? new DOMException('An invalid or illegal string was specified', 'SyntaxError') :
        domError('SyntaxError', 'Window', 'postMessage', `Invalid target origin '${origin}' in a call to 'postMessage'.`);
    }
    isForUs = wanted.origin === own;
  }
  const items = readTransfer(isOptions ? second?.transfer : third, 'Window', 'postMessage');
  const { value, ports: list } = cloneWith(message, items, 'Window', 'postMessage');
  if (!isForUs) return;
  native.queueTask('message', () => {
    dispatch(globalThis, makeEvent(MessageEvent, 'message', { data: value, origin: own, source: globalThis, ports: list }));
  }, [], 0, 1);
}

module.exports = { BroadcastChannel, MessageChannel, MessagePort, postMessage };
