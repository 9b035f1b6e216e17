// Which class an object has in the engine, whatever the program has made of its prototype.
'use strict';

const native = internalBinding;

const NativeArrayBuffer = ArrayBuffer;
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayName = Object.getOwnPropertyDescriptor(TypedArrayPrototype, Symbol.toStringTag).get;
const { apply } = Reflect;

// An object of each class; their numbers are asked for when one is needed first.
const samples = {
  Arguments: [new Function('return arguments')(), (function () { 'use strict'; return arguments; })()],
  ArrayIterator: [[][Symbol.iterator]()],
  ArrayBuffer: [new ArrayBuffer(1)],
  AsyncFunction: [async function () {}, async () => {}],
  AsyncGeneratorFunction: [async function* () {}],
  BigInt: [Object(1n)],
  Boolean: [new Boolean(false)],
  DataView: [new DataView(new NativeArrayBuffer(1))],
  Date: [new Date(0)],
  Error: [new Error()],
  FinalizationRegistry: [new FinalizationRegistry(() => {})],
  Generator: [(function* () {})()],
  AsyncGenerator: [(async function* () {})()],
  GeneratorFunction: [function* () {}],
  IteratorHelper: [[].values().map((item) => item)],
  IteratorWrap: [Iterator.from({ next() {} })],
  IteratorConcat: [Iterator.concat([])],
  Map: [new Map()],
  MapIterator: [new Map().keys()],
  Number: [new Number(0)],
  Promise: [Promise.resolve()],
  Proxy: [new Proxy({}, {})],
  RegExp: [/x/],
  RegExpStringIterator: ['a'.matchAll(/a/g)],
  Set: [new Set()],
  SetIterator: [new Set().keys()],
  SharedArrayBuffer: [new SharedArrayBuffer(1)],
  String: [new String('')],
  StringIterator: [''[Symbol.iterator]()],
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

// 'Uint8Array' ...; undefined: no typed array.
function typedArrayOf(value) {
  return typeof value === 'object' && value !== null ? apply(typedArrayName, value, []) : undefined;
}

module.exports = { classOf, typedArrayOf };
