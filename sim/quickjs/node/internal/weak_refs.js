// WeakRef and FinalizationRegistry as programs of V8 see them. QuickJS frees an object with the last that refers to it; V8 when it collects
// garbage, which small programs never live to see. So what they point to lives until gc(), or until the program has grown by as much as
// would make V8 collect; and always until the end of the job that made or read the reference (ECMAScript, KeepDuringJob).
'use strict';

const native = internalBinding;
const { nameBuiltin } = require('internal/stack');
const { atLeast } = require('internal/version');

const TheWeakRef = WeakRef;
const TheRegistry = FinalizationRegistry;
const { apply, construct } = Reflect;
const { defineProperty } = Object;
const { keyFor } = Symbol;
const { deref } = TheWeakRef.prototype;
const { register } = TheRegistry.prototype;
const { set: put, get: take, delete: drop, forEach: each } = Map.prototype;

const kRoom = 32 * 1024 * 1024;  // bytes
const kept = new Map();  // by target: { ref, job }: the job that named it last
let size;  // of the program's memory, when it was looked at last

function keep(target) {
  if (native.jobNumber === undefined) return;  // a window
  const known = apply(take, kept, [target]);
  if (known !== undefined) {
    known.job = native.jobNumber();
    return;
  }
  const grown = native.memorySize();
  size ??= grown;
  if (grown - size > kRoom) {
    release();
    size = grown;
  }
  apply(put, kept, [target, { ref: new TheWeakRef(target), job: native.jobNumber() }]);
}

// Those that the running job has not named. Returns the references to them.
function release() {
  const job = native.jobNumber();
  const gone = { __proto__: null, length: 0 };
  apply(each, kept, [(entry, target) => {
    if (entry.job === job) return;
    gone[gone.length++] = entry;
    apply(drop, kept, [target]);
  }]);
  return gone;
}

// What something else refers to lives on.
function collect() {
  const gone = release();
  native.collectGarbage();
  for (let i = 0; i < gone.length; i++) {
    const target = apply(deref, gone[i].ref, []);
    if (target !== undefined) apply(put, kept, [target, gone[i]]);
  }
}

// A method of the language itself.
function asked(method, receiver, given, name, token) {
  try {
    return apply(method, receiver, given);
  } catch (error) {
    const words = error instanceof TypeError ? wordsOf(error.message, receiver, name, token) : undefined;
    if (words === undefined) throw error;
    throw new TypeError(words);
  }
}

function wordsOf(said, receiver, name, token) {
  const { textOf } = require('internal/words');
  if (said.endsWith(' object expected')) return `Method ${name} called on incompatible receiver ${textOf(receiver)}`;
  if (said === 'invalid target') return `${name}: ${atLeast(18) ? said : 'target must be an object'}`;
  if (said === 'held value cannot be the target') return `${name}: target and holdings must not be same`;
  if (said !== 'invalid unregister token') return undefined;
  return atLeast(18) ? `Invalid unregisterToken ('${textOf(token)}')` : `unregisterToken ('${textOf(token)}') must be an object`;
}

// V8 had no symbols there before that of Node 18.
function canBeHeld(value) {
  return Object(value) === value || (typeof value === 'symbol' && atLeast(18) && keyFor(value) === undefined);
}

function requireNew(target, name) {
  if (target === undefined) throw new TypeError(`Constructor ${name} requires 'new'`);
}

function replace(prototype, key, value, name) {
  defineProperty(prototype, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  nameBuiltin(value, name);
}

function install() {
  function WeakRef(target) {
    requireNew(new.target, 'WeakRef');
    if (!canBeHeld(target)) throw new TypeError(`WeakRef: ${atLeast(18) ? 'invalid target' : 'target must be an object'}`);
    const ref = construct(TheWeakRef, [target], new.target);
    keep(target);
    return ref;
  }
  defineProperty(WeakRef, 'prototype', { __proto__: null, value: TheWeakRef.prototype, writable: false });
  replace(TheWeakRef.prototype, 'constructor', WeakRef, 'new WeakRef');
  const methods = {
    deref() {
      const target = asked(deref, this, [], 'WeakRef.prototype.deref');
      if (target !== undefined) keep(target);
      return target;
    },
    register(target, heldValue) {
      const token = arguments[2];
      const given = atLeast(18) ? arguments : [typeof target === 'symbol' ? undefined : target, heldValue, token];
      if (!atLeast(18) && typeof token === 'symbol') given[2] = 0;
      asked(register, this, given, 'FinalizationRegistry.prototype.register', token);
      keep(target);
    },
  };
  replace(TheWeakRef.prototype, 'deref', methods.deref, 'WeakRef.deref');
  replace(TheRegistry.prototype, 'register', methods.register, 'FinalizationRegistry.register');
  replace(globalThis, 'WeakRef', WeakRef, 'new WeakRef');
}

module.exports = { collect, install };
