// The form that WebIDL gives to interfaces: enumerable members, the class's tag, checks of the receiver.
'use strict';

const { illegalInvocation } = require('web/words');

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply, ownKeys } = Reflect;
const kInspect = Symbol.for('nodejs.util.inspect.custom');

// Every interface, by its prototype.
const interfaces = new Map();

// Only the library makes objects of an interface whose constructor is illegal: it gives this.
const kKey = Symbol('key');

function guard(fn, isOne, Interface, member) {
  const { guarded } = { guarded(...args) {
    const receiver = this ?? globalThis;
    if (!isOne(receiver)) throw illegalInvocation(Interface, member);
    return apply(fn, receiver, args);
  } };
  defineProperty(guarded, 'name', { value: fn.name, configurable: true });
  defineProperty(guarded, 'length', { value: fn.length, configurable: true });
  return guarded;
}

// Makes members enumerable, and lets them check their receiver: isOne(value).
function describe(Class, isOne, { name = Class.name, inspect } = {}) {
  const { prototype } = Class;
  interfaces.set(prototype, name);
  for (const key of ownKeys(prototype)) {
    if (key === 'constructor' || typeof key === 'symbol') continue;
    const it = getOwnPropertyDescriptor(prototype, key);
    it.enumerable = true;
    if (isOne) {
      if (it.value) it.value = guard(it.value, isOne, name, key);
      if (it.get) it.get = guard(it.get, isOne, name, `get ${key}`);
      if (it.set) it.set = guard(it.set, isOne, name, `set ${key}`);
    }
    defineProperty(prototype, key, it);
  }
  for (const key of ownKeys(Class)) {
    if (typeof key !== 'string' || ['length', 'name', 'prototype'].includes(key)) continue;
    defineProperty(Class, key, { enumerable: true });
  }
  defineProperty(Class, 'length', { writable: false, enumerable: false });
  defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  if (inspect) defineProperty(prototype, kInspect, { value: inspect, configurable: true, writable: true });
  return Class;
}

// Constants stand on the interface and on its prototype.
function constants(Class, values) {
  for (const [key, value] of Object.entries(values)) {
    for (const object of [Class, Class.prototype]) defineProperty(object, key, { value, enumerable: true });
  }
}

// The interface that a platform object implements; undefined: it is none.
function interfaceOf(value) {
  for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) {
    const name = interfaces.get(at);
    if (name !== undefined) return name;
  }
  return undefined;
}

module.exports = { constants, describe, interfaceOf, kInspect, kKey };
