// What kind of object a value is (lib/internal/util/types.js). Which class an object has, only the engine knows.
'use strict';

const native = internalBinding;

const NativeArrayBuffer = ArrayBuffer;
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayName = Object.getOwnPropertyDescriptor(TypedArrayPrototype, Symbol.toStringTag).get;
const { apply } = Reflect;

// An object of each class; their numbers are asked for when one is needed first.
const samples = {
  Arguments: [new Function('return arguments')(), (function () { 'use strict'; return arguments; })()],
  ArrayBuffer: [new ArrayBuffer(1)],
  AsyncFunction: [async function () {}, async () => {}],
  AsyncGeneratorFunction: [async function* () {}],
  BigInt: [Object(1n)],
  Boolean: [new Boolean(false)],
  DataView: [new DataView(new NativeArrayBuffer(1))],
  Date: [new Date(0)],
  Error: [new Error()],
  Generator: [(function* () {})()],
  AsyncGenerator: [(async function* () {})()],
  GeneratorFunction: [function* () {}],
  Map: [new Map()],
  MapIterator: [new Map().keys()],
  Number: [new Number(0)],
  Promise: [Promise.resolve()],
  Proxy: [new Proxy({}, {})],
  RegExp: [/x/],
  Set: [new Set()],
  SetIterator: [new Set().keys()],
  SharedArrayBuffer: [new SharedArrayBuffer(1)],
  String: [new String('')],
  Symbol: [Object(Symbol.iterator)],
  WeakMap: [new WeakMap()],
  WeakRef: [new WeakRef({})],
  WeakSet: [new WeakSet()],
};
let names;

function classOf(value) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return undefined;
  if (names === undefined) {
    names = [];
    for (const name in samples) for (const sample of samples[name]) names[native.classId(sample)] = name;
  }
  return names[native.classId(value)];
}

const types = {
  isExternal() { return false; },
  isModuleNamespaceObject() { return false; },
  isCryptoKey() { return false; },
  isKeyObject() { return false; },
  isAsyncFunction(value) {
    const name = classOf(value);
    return name === 'AsyncFunction' || name === 'AsyncGeneratorFunction';
  },
  isGeneratorFunction(value) {
    const name = classOf(value);
    return name === 'GeneratorFunction' || name === 'AsyncGeneratorFunction';
  },
  isGeneratorObject(value) {
    const name = classOf(value);
    return name === 'Generator' || name === 'AsyncGenerator';
  },
  isAnyArrayBuffer(value) {
    const name = classOf(value);
    return name === 'ArrayBuffer' || name === 'SharedArrayBuffer';
  },
  isBoxedPrimitive(value) {
    const name = classOf(value);
    return name === 'Number' || name === 'String' || name === 'Boolean' || name === 'BigInt' || name === 'Symbol';
  },
  isNativeError(value) { return classOf(value) === 'Error'; },
  isArgumentsObject(value) { return classOf(value) === 'Arguments'; },
  isArrayBufferView(value) { return NativeArrayBuffer.isView(value); },
  isTypedArray(value) {
    return typeof value === 'object' && value !== null && apply(typedArrayName, value, []) !== undefined;
  },
};
for (const name of ['ArrayBuffer', 'DataView', 'Date', 'Map', 'MapIterator', 'Promise', 'Proxy', 'RegExp', 'Set', 'SetIterator',
  'SharedArrayBuffer', 'WeakMap', 'WeakSet']) {
  types[`is${name}`] = (value) => classOf(value) === name;
}
for (const name of ['BigInt', 'Boolean', 'Number', 'String', 'Symbol']) {
  types[`is${name}Object`] = (value) => classOf(value) === name;
}
for (const name of ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
  'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array']) {
  types[`is${name}`] = (value) => types.isTypedArray(value) && apply(typedArrayName, value, []) === name;
}

module.exports = types;
