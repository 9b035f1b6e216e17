// What kind of object a value is (lib/internal/util/types.js).
'use strict';

const native = internalBinding;
const NativeArrayBuffer = ArrayBuffer;
const { getOwnPropertyDescriptor } = Object;
const { classOf, typedArrayOf } = require('internal/class_of');

let plain;
function plainClass() { return (plain ??= native.classId({})); }

const types = {
  isExternal() { return false; },
  // No module can be made here to compare with. Its class is none that a program can make, and it tells its name itself.
  isModuleNamespaceObject(value) {
    if (typeof value !== 'object' || value === null || classOf(value) !== undefined || native.classId(value) === plainClass()) return false;
    const tag = getOwnPropertyDescriptor(value, Symbol.toStringTag);
    return tag?.value === 'Module' && !tag.configurable;
  },
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
  isTypedArray(value) { return typedArrayOf(value) !== undefined; },
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
  types[`is${name}`] = (value) => typedArrayOf(value) === name;
}

module.exports = types;
