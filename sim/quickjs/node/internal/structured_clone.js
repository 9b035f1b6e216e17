// structuredClone(), and the copies of messages between ports (lib/internal/worker/js_transferable.js; V8's ValueSerializer).
'use strict';

const native = internalBinding;
const { transfer: detach } = ArrayBuffer.prototype;  // before a version that has none loses it

const { classOf, typedArrayOf } = require('internal/class_of');
const { DOMException } = require('internal/dom_exception');
const { URL, URLSearchParams } = require('url');
const { missingArgs } = require('internal/event_target');
const { makeNodeError } = require('internal/errors');
const { Immediate, Timeout } = require('internal/timers');
const types = require('internal/types');
const { isArrayBuffer, isDataView, isDate, isMap, isNativeError, isRegExp, isSet, isSharedArrayBuffer } = types;
const { atLeast } = require('internal/version');
const { textOf } = require('internal/words');

const kErrors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const kBoxes = ['Number', 'String', 'Boolean', 'BigInt', 'Symbol'].map((name) => [globalThis[name], types[`is${name}Object`]]);

function uncloneable(value) {
  return new DOMException(`${textOf(value)} could not be cloned.`, 'DataCloneError');
}

const uncloneableClasses = new Set([
  'Arguments', 'ArrayIterator', 'AsyncGenerator', 'FinalizationRegistry', 'Generator', 'IteratorConcat',
  'IteratorHelper', 'IteratorWrap', 'MapIterator', 'Promise', 'RegExpStringIterator', 'SetIterator',
  'StringIterator', 'WeakMap', 'WeakRef', 'WeakSet']);

function isUncloneable(value) {
  if (uncloneableClasses.has(classOf(value))) return true;
  return value === globalThis;
}

// A port that is not in the list.
function needsTransfer() {
  const message = 'Object that needs transfer was found in message but not listed in transferList';
  if (atLeast(22)) return new DOMException(message, 'DataCloneError');
  const what = atLeast(16) ? 'TRANSFERABLE' : 'MESSAGE_PORT';
  return makeNodeError(TypeError, `ERR_MISSING_${what}_IN_TRANSFER_LIST`, message);
}

class Copier {
  #copies;  // of objects, by the original
  constructor(moved) { this.#copies = new Map(moved); }

  copy(value) {
    if (typeof value === 'function' || typeof value === 'symbol' || native.proxyDetails(value) !== undefined) throw uncloneable(value);
    if (value === null || typeof value !== 'object') return value;
    if (this.#copies.has(value)) return this.#copies.get(value);
    if (Array.isArray(value)) return this.#properties(value, this.#keep(value, new Array(value.length)));
    if (isMap(value)) return this.#map(value);
    if (isSet(value)) return this.#set(value);
    if (isDate(value)) return this.#keep(value, new Date(Date.prototype.getTime.call(value)));
    if (isRegExp(value)) return this.#keep(value, new RegExp(value.source, value.flags));
    if (isArrayBuffer(value)) return this.#keep(value, ArrayBuffer.prototype.slice.call(value, 0));
    if (isSharedArrayBuffer(value)) return value;
    if (ArrayBuffer.isView(value)) return this.#view(value);
    if (value instanceof DOMException) return atLeast(22) ? this.#exception(value) : this.#keep(value, {});
    if (isNativeError(value)) return this.#error(value);
    for (const [Box, is] of kBoxes) {
      if (!is(value)) continue;
      if (Box === Symbol) throw uncloneable(value);
      return this.#keep(value, Object(Box.prototype.valueOf.call(value)));
    }
    const { isPort, MessageEvent } = require('internal/ports');
    // An event of Node 12 has its port as a property.
    if (isPort(value) || (value instanceof MessageEvent && !atLeast(14))) throw needsTransfer();
    if (isUncloneable(value)) throw uncloneable(value);
    if (atLeast(22) && (value instanceof URL || value instanceof URLSearchParams || value instanceof MessageEvent)) {
      throw new DOMException('Cannot clone object of unsupported type.', 'DataCloneError');
    }
    if (value instanceof Timeout && typeof value._onTimeout === 'function') throw uncloneable(value._onTimeout);
    if (value instanceof Immediate && typeof value._onImmediate === 'function') throw uncloneable(value._onImmediate);
    return this.#properties(value, this.#keep(value, {}));
  }

  #keep(value, copy) {
    this.#copies.set(value, copy);
    return copy;
  }

  #properties(value, copy) {
    for (const key of Object.keys(value)) {
      // One that is gone by now is not copied.
      if (!Object.hasOwn(value, key)) continue;
      Object.defineProperty(copy, key, {
        __proto__: null, value: this.copy(value[key]), writable: true, enumerable: true, configurable: true,
      });
    }
    return copy;
  }

  #map(value) {
    const copy = this.#keep(value, new Map());
    for (const [key, item] of [...Map.prototype.entries.call(value)]) copy.set(this.copy(key), this.copy(item));
    return copy;
  }

  #set(value) {
    const copy = this.#keep(value, new Set());
    for (const item of [...Set.prototype.values.call(value)]) copy.add(this.copy(item));
    return copy;
  }

  #view(value) {
    const buffer = this.copy(value.buffer);
    if (isDataView(value)) return this.#keep(value, new DataView(buffer, value.byteOffset, value.byteLength));
    const Type = globalThis[typedArrayOf(value)];
    return this.#keep(value, new Type(buffer, value.byteOffset, value.length));
  }

  #exception(value) {
    const copy = this.#keep(value, new DOMException(value.message, value.name));
    const stack = { __proto__: null, value: value.stack, writable: true, enumerable: false, configurable: true };
    return Object.defineProperty(copy, 'stack', stack);
  }

  // Its class is known by its name; it has a message, a cause and a stack.
  #error(value) {
    const Type = Object.hasOwn(kErrors, value.name) ? kErrors[value.name] : Error;
    const error = this.#keep(value, new Type());
    const define = (key, item) => {
      Object.defineProperty(error, key, { __proto__: null, value: item, writable: true, enumerable: false, configurable: true });
    };
    const message = Object.getOwnPropertyDescriptor(value, 'message');
    if (message && 'value' in message) define('message', String(message.value));
    else if (Object.hasOwn(error, 'message')) delete error.message;
    if (typeof value.stack === 'string') define('stack', value.stack);
    if (atLeast(18) && Object.hasOwn(value, 'cause')) define('cause', this.copy(value.cause));
    return error;
  }
}

// A copy of the value; what is in `transfer` is moved instead.
function copyWith(value, transfer = []) {
  const { isPort, movePort } = require('internal/ports');
  const items = [...transfer];
  if (new Set(items).size !== items.length) {
    throw new DOMException(isPort(items[0]) ? 'Transfer list contains duplicate MessagePort'
                                            : 'Transfer list contains duplicate ArrayBuffer', 'DataCloneError');
  }
  items.forEach((item, i) => {
    if (isPort(item) || (typeof item === 'object' && item !== null && isArrayBuffer(item))) return;
    if (!atLeast(22)) throw makeNodeError(TypeError, 'ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList');
    if (item !== null && typeof item === 'object') throw new DOMException('Found invalid value in transferList.', 'DataCloneError');
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE', atLeast(24) ?
      `Failed to execute 'structuredClone': transfer in Options[${i}] is not an object.` : 'Value is not an object');
  });
  // Buffers change hands only when all could be copied.
  const ports = items.filter(isPort);
  const buffers = items.filter((item) => !isPort(item));
  const movedPorts = ports.map((port) => [port, movePort(port)]);
  const stand = buffers.map((buffer) => [buffer, buffer.slice(0)]);
  const copy = new Copier([...movedPorts, ...stand]).copy(value);
  for (const buffer of buffers) Reflect.apply(detach, buffer, []);
  return { copy, ports: movedPorts.map(([, port]) => port) };
}

function structuredClone(value, options) {
  if (arguments.length === 0) {
    throw atLeast(20) ? makeNodeError(TypeError, 'ERR_MISSING_ARGS', atLeast(22) ?
      'The "The value argument must be specified" argument must be specified' :
      'The value argument must be specified') : missingArgs('value');
  }
  const transfer = options?.transfer ?? (options?.transfer === null && atLeast(22) ? null : []);
  if (typeof transfer?.[Symbol.iterator] !== 'function') {
    const words = "Failed to execute 'structuredClone': transfer in Options";
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE', atLeast(24) ? `${words} cannot be converted to sequence.` :
      atLeast(22) ? `${words} can not be converted to sequence.` : 'Optional transferList argument must be an iterable');
  }
  return atLeast(20) ? copyWith(value, transfer).copy : throughPorts(value, transfer);
}

let channel;

// Node 18 sends the value through a channel of its own: the message has been taken before the loop comes to it, but wakes it.
function throughPorts(value, transfer) {
  const { MessageChannel, receiveMessageOnPort } = require('internal/ports');
  if (channel === undefined) {
    channel = new MessageChannel();
    channel.port1.unref();
    channel.port2.unref();
  }
  channel.port1.postMessage(value, transfer);
  return receiveMessageOnPort(channel.port2).message;
}

module.exports = { structuredClone, copyWith };
