// Numbers in a Buffer: read and write (lib/internal/buffer.js; lib/buffer.js until 8).
//
// A method of Node has an own text for each size and order of bytes; here one function makes all of them.
'use strict';

const { checkNumber, outOfBounds } = require('internal/buffer_checks');
const { invalidArgType, outOfRange } = require('internal/validate');
const { atLeast } = require('internal/version');

const { floor } = Math;
const floats = new Float32Array(1);
const doubles = new Float64Array(1);

const orders = [['LE', true], ['BE', false]];
const isBig = (min) => typeof min === 'bigint';

// ---- checks ------------------------------------------------------------------------------------------------------------------

// Throws what is wrong with an offset, or a number of bytes, that should be at most `most`.
function failBounds(value, most, name = 'offset') {
  if (floor(value) !== value) {
    checkNumber(value, name);
    throw outOfRange(name, 'an integer', value);
  }
  if (most < 0) throw outOfBounds();
  throw outOfRange(name, `>= ${name === 'offset' ? 0 : 1} and <= ${most}`, value);
}

function checkBounds(buffer, offset, size) {
  checkNumber(offset, 'offset');
  if (buffer[offset] === undefined || buffer[offset + size - 1] === undefined) failBounds(offset, buffer.length - size);
}

// Since 12 in powers of two, where they are large.
function rangeOf(min, max, size) {
  const n = isBig(min) && atLeast(12) ? 'n' : '';
  if (size <= 4 || !atLeast(12)) return `>= ${min}${n} and <= ${max}${n}`;
  // eslint-disable-next-line eqeqeq
  if (min == 0) return `>= 0${n} and < 2${n} ** ${size * 8}${n}`;
  return `>= -(2${n} ** ${size * 8 - 1}${n}) and < 2${atLeast(14) ? n : ''} ** ${size * 8 - 1}${n}`;
}

function checkValue(value, min, max, size) {
  if (value > max || value < min) throw outOfRange('value', rangeOf(min, max, size), value);
}

const limits = (size, isSigned) => (isSigned ? [-(2 ** (8 * size - 1)), 2 ** (8 * size - 1) - 1] : [0, 2 ** (8 * size) - 1]);

// ---- of some bytes -----------------------------------------------------------------------------------------------------------

function readInteger(buffer, offset, size, isSigned, isLittle) {
  const step = isLittle ? 1 : -1;
  let at = isLittle ? offset : offset + size - 1;
  let value = buffer[at];
  for (let i = 1, factor = 256; i < size; i++, factor *= 256) value += buffer[at += step] * factor;
  return isSigned && value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value;
}

function writeInteger(buffer, value, offset, size, isLittle) {
  const step = isLittle ? 1 : -1;
  let at = isLittle ? offset : offset + size - 1;
  const high = size > 4 ? floor(value / 2 ** 32) : 0;
  for (let i = 0; i < size; i++, at += step) {
    if (i === 4) value = high;
    buffer[at] = value;
    value = value >>> 8;
  }
}

function readChecked(buffer, offset, size, isSigned, isLittle) {
  checkBounds(buffer, offset, size);
  return readInteger(buffer, offset, size, isSigned, isLittle);
}

function writeChecked(buffer, value, offset, size, [min, max], isLittle) {
  value = +value;
  if (size === 1) checkNumber(offset, 'offset');  // Node looks at the offset first there
  if (value > max || value < min) checkValue(value, min, max, size);
  checkBounds(buffer, offset, size);
  writeInteger(buffer, value, offset, size, isLittle);
  return offset + size;
}

// The usual ones, without a loop. Where an index is none, there is no byte, and checkBounds() throws.
const readers = {
  1: (isSigned) => function (offset = 0) {
    const byte = this[offset];
    if (typeof offset !== 'number' || byte === undefined) checkBounds(this, offset, 1);
    return isSigned ? byte << 24 >> 24 : byte;
  },
  2: (isSigned, isLittle) => function (offset = 0) {
    const first = this[offset];
    const last = this[offset + 1];
    if (typeof offset !== 'number' || first === undefined || last === undefined) checkBounds(this, offset, 2);
    const value = isLittle ? first | last << 8 : first << 8 | last;
    return isSigned ? value << 16 >> 16 : value;
  },
  4: (isSigned, isLittle) => function (offset = 0) {
    const first = this[offset];
    const last = this[offset + 3];
    if (typeof offset !== 'number' || first === undefined || last === undefined) checkBounds(this, offset, 4);
    const value = isLittle ? first | this[offset + 1] << 8 | this[offset + 2] << 16 | last << 24 :
      first << 24 | this[offset + 1] << 16 | this[offset + 2] << 8 | last;
    return isSigned ? value : value >>> 0;
  },
};

function writerOf(size, range, isLittle) {
  if (size !== 4) return function (value, offset = 0) { return writeChecked(this, value, offset, size, range, isLittle); };
  const [min, max] = range;
  const [low, step] = isLittle ? [0, 1] : [3, -1];
  return function (value, offset = 0) {
    value = +value;
    if (value > max || value < min) checkValue(value, min, max, 4);
    if (typeof offset !== 'number' || this[offset] === undefined || this[offset + 3] === undefined) checkBounds(this, offset, 4);
    let at = offset + low;
    this[at] = value;
    this[at += step] = value >>> 8;
    this[at += step] = value >>> 16;
    this[at + step] = value >>> 24;
    return offset + 4;
  };
}

const isSize = (size) => size === 1 || size === 2 || size === 3 || size === 4 || size === 5 || size === 6;
const defaultSize = (size) => (size === undefined && !atLeast(11) ? 1 : size);

// ---- the methods since 10 -------------------------------------------------------------------------------------------------

const methods = { __proto__: null };

for (const [order, isLittle] of orders) {
  for (const [type, isSigned] of [['UInt', false], ['Int', true]]) {
    for (const size of [1, 2, 4]) {
      const name = `${type}${size * 8}${size === 1 ? '' : order}`;
      methods[`read${name}`] ??= readers[size](isSigned, isLittle);
      methods[`write${name}`] ??= writerOf(size, limits(size, isSigned), isLittle);
    }
    methods[`read${type}${order}`] = function (offset, byteLength) {
      if (offset === undefined && atLeast(11)) throw invalidArgType('offset', 'number', offset);
      const size = defaultSize(byteLength);
      if (!isSize(size)) failBounds(size, 6, 'byteLength');
      return readChecked(this, offset === undefined ? 0 : offset, size, isSigned, isLittle);
    };
    methods[`write${type}${order}`] = function (value, offset, byteLength) {
      const size = defaultSize(byteLength);
      if (!isSize(size)) failBounds(size, 6, 'byteLength');
      const range = limits(size, isSigned);
      if (size === 6 && !isSigned && !isLittle && !atLeast(12)) range[1] = 2 ** 56 - 1;  // a digit too many in Node
      return writeChecked(this, value, offset === undefined && !atLeast(11) ? 0 : offset, size, range, isLittle);
    };
    const [min, max] = isSigned ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
    methods[`readBig${type}64${order}`] = function (offset = 0) {
      checkBounds(this, offset, 8);
      const low = readInteger(this, isLittle ? offset : offset + 4, 4, false, isLittle);
      const high = readInteger(this, isLittle ? offset + 4 : offset, 4, isSigned, isLittle);
      return (BigInt(high) << 32n) + BigInt(low);
    };
    methods[`writeBig${type}64${order}`] = function (value, offset = 0) {
      checkValue(value, min, max, 8);
      checkBounds(this, offset, 8);
      const low = Number(value & 0xffffffffn);
      writeInteger(this, low, isLittle ? offset : offset + 4, 4, isLittle);
      writeInteger(this, Number(value >> 32n & 0xffffffffn), isLittle ? offset + 4 : offset, 4, isLittle);
      return offset + 8;
    };
  }
  for (const [type, numbers] of [['Float', floats], ['Double', doubles]]) {
    const bytes = new Uint8Array(numbers.buffer);
    const { length } = bytes;
    methods[`read${type}${order}`] = function (offset = 0) {
      checkBounds(this, offset, length);
      for (let i = 0; i < length; i++) bytes[i] = this[isLittle ? offset + i : offset + length - 1 - i];
      return numbers[0];
    };
    methods[`write${type}${order}`] = function (value, offset = 0) {
      value = +value;
      checkBounds(this, offset, length);
      numbers[0] = value;
      for (let i = 0; i < length; i++) this[isLittle ? offset + i : offset + length - 1 - i] = bytes[i];
      return offset + length;
    };
  }
}

// ---- those until 8, which check nothing when they are told so -----------------------------------------------------------------

const words = (text) => (atLeast(6) ? text : `${text[0].toLowerCase()}${text.slice(1)}`);

function checkOldOffset(buffer, offset, size) {
  if (offset + size > buffer.length) throw new RangeError(words('Index out of range'));
}

function checkOldValue(buffer, value, offset, size, [min, max]) {
  if (!atLeast(8) && !(buffer instanceof require('buffer').Buffer)) {
    throw new TypeError(atLeast(6) ? '"buffer" argument must be a Buffer instance' : 'buffer must be a Buffer instance');
  }
  if (value > max || value < min) throw new TypeError(atLeast(6) ? '"value" argument is out of bounds' : 'value is out of bounds');
  checkOldOffset(buffer, offset, size);
}

// Of a buffer that is too short, what is not there is 0, but where Node multiplies it.
function readOld(buffer, offset, size, isSigned, isLittle) {
  const value = readInteger(buffer, offset, size, isSigned, isLittle);
  if (size === 1 || !Number.isNaN(value)) return value;
  if (size === 4 && !isSigned && buffer[isLittle ? offset + 3 : offset] === undefined) return NaN;
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = buffer[offset + i];
  return readInteger(bytes, 0, size, isSigned, isLittle);
}

const oldMethods = { __proto__: null };

for (const [order, isLittle] of orders) {
  for (const [type, isSigned] of [['UInt', false], ['Int', true]]) {
    for (const size of [1, 2, 4]) {
      const name = `${type}${size * 8}${size === 1 ? '' : order}`;
      oldMethods[`read${name}`] ??= function (offset, noAssert) {
        offset = offset >>> 0;
        if (!noAssert) checkOldOffset(this, offset, size);
        return readOld(this, offset, size, isSigned, isLittle);
      };
      oldMethods[`write${name}`] ??= function (value, offset, noAssert) {
        value = +value;
        offset = offset >>> 0;
        if (!noAssert) checkOldValue(this, value, offset, size, limits(size, isSigned));
        writeInteger(this, value, offset, size, isLittle);
        return offset + size;
      };
    }
    oldMethods[`read${type}${order}`] = function (offset, byteLength, noAssert) {
      offset = offset >>> 0;
      byteLength = byteLength >>> 0;
      if (!noAssert) checkOldOffset(this, offset, byteLength);
      return readInteger(this, offset, byteLength, isSigned, isLittle);
    };
    oldMethods[`write${type}${order}`] = function (value, offset, byteLength, noAssert) {
      value = +value;
      offset = offset >>> 0;
      byteLength = isSigned ? byteLength : byteLength >>> 0;
      if (!noAssert) checkOldValue(this, value, offset, byteLength, limits(byteLength, isSigned));
      writeInteger(this, value, offset, byteLength, isLittle);
      return offset + byteLength;
    };
  }
  for (const [type, numbers] of [['Float', floats], ['Double', doubles]]) {
    const bytes = new Uint8Array(numbers.buffer);
    const { length } = bytes;
    oldMethods[`read${type}${order}`] = function (offset, noAssert) {
      offset = offset >>> 0;
      if (!noAssert) checkOldOffset(this, offset, length);
      for (let i = 0; i < length; i++) bytes[i] = this[isLittle ? offset + i : offset + length - 1 - i];
      return numbers[0];
    };
    oldMethods[`write${type}${order}`] = function (value, offset, noAssert) {
      value = +value;
      offset = offset >>> 0;
      if (!noAssert && atLeast(6) && offset + length > this.length) throw new RangeError('out of range index');
      if (!noAssert) checkOldOffset(this, offset, length);
      numbers[0] = value;
      for (let i = 0; i < length; i++) this[isLittle ? offset + i : offset + length - 1 - i] = bytes[i];
      return offset + length;
    };
  }
}

// ---- names, in the order in which Buffer.prototype has them ---------------------------------------------------------------------

const kinds = ['UIntLE', 'UIntBE', 'UInt8', 'UInt16LE', 'UInt16BE', 'UInt32LE', 'UInt32BE', 'IntLE', 'IntBE', 'Int8', 'Int16LE', 'Int16BE',
  'Int32LE', 'Int32BE', 'FloatLE', 'FloatBE', 'DoubleLE', 'DoubleBE'];
const oldNames = ['read', 'write'].flatMap((verb) => kinds.map((kind) => verb + kind));

const bySize = (type) => [`${type}LE`, `${type}32LE`, `${type}16LE`, `${type}8`, `${type}BE`, `${type}32BE`, `${type}16BE`];
const newNames = [
  ...['read', 'write'].flatMap((verb) => [
    `${verb}BigUInt64LE`, `${verb}BigUInt64BE`, `${verb}BigUint64LE`, `${verb}BigUint64BE`, `${verb}BigInt64LE`, `${verb}BigInt64BE`,
  ]),
  ...['read', 'write'].flatMap((verb) => [
    ...bySize(`${verb}UInt`), ...bySize(`${verb}Uint`), ...bySize(`${verb}Int`),
  ]),
  ...['read', 'write'].flatMap((verb) => ['FloatLE', 'FloatBE', 'DoubleLE', 'DoubleBE'].map((kind) => verb + kind)),
];

// The function's own name and length in a version, which the aliases share.
function shapeOf(key, line) {
  const isRead = key.startsWith('read');
  if (line < 10) {
    if (/Float|Double/.test(key)) return [key, isRead ? 2 : 3];
    return ['', (/Int[LB]E$/.test(key) ? 3 : 2) + (isRead ? 0 : 1)];
  }
  if (/Float|Double/.test(key)) return [key.replace('LE', 'Forwards').replace('BE', 'Backwards'), isRead ? 0 : 1];
  if (/Int[LB]E$/.test(key)) return [key, isRead ? 2 : line >= 11 ? 3 : 1];
  if (isRead && line >= 24 && !key.includes('Big')) return ['', 1];
  return [key, isRead ? 0 : 1];
}

// Of a version: [key, function, its name, its length].
function numberMethods(line) {
  if (line < 10) return oldNames.map((key) => [key, oldMethods[key], ...shapeOf(key, line)]);
  const has = (key) => (line >= 12 || !key.includes('Uint')) && !(line >= 11 && line < 12 && key.includes('Big'));
  return newNames.filter(has).map((key) => {
    const name = key.replace('Uint', 'UInt');
    return [key, methods[name], ...shapeOf(name, line)];
  });
}

module.exports = { failBounds, numberMethods };
