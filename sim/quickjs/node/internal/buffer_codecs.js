// Texts as bytes, and back (src/string_bytes.cc, src/base64-inl.h of Node, and V8's decoder of UTF-8).
//
// Loops of JavaScript are slow here: what is long goes through functions of the language that are not (String.fromCharCode,
// escape, encodeURIComponent, btoa, and the codecs of Uint8Array), which know nothing of Node's encodings, but compose to them.
'use strict';

const { notString, uncurry } = require('internal/buffer_checks');
const { atLeast } = require('internal/version');

const { apply } = Reflect;
const { fromCharCode, fromCodePoint } = String;
const { btoa, decodeURIComponent, encodeURIComponent, escape, unescape, Uint16Array, Uint8Array } = globalThis;
const { prototype: bytesPrototype } = Uint8Array;
const [set, subarray, toBase64, toHex, setFromBase64, setFromHex] =
  ['set', 'subarray', 'toBase64', 'toHex', 'setFromBase64', 'setFromHex'].map((name) => uncurry(bytesPrototype[name]));
const [charCodeAt, slice, toLowerCase, toWellFormed] =
  ['charCodeAt', 'slice', 'toLowerCase', 'toWellFormed'].map((name) => uncurry(String.prototype[name]));
const test = uncurry(RegExp.prototype.test);

const kShort = 24;       // characters for which a loop is as fast
const kMost = 0x4000;  // arguments of one call
const wide = /[^\x00-\x7f]/;  // eslint-disable-line no-control-regex
const wider = /[^\x00-\xff]/;  // eslint-disable-line no-control-regex

// ---- latin1 and ASCII -----------------------------------------------------------------------------------------------------

// The bytes from `start` to `end`, as an array of the language's own.
function view(buffer, start, end) { return new Uint8Array(buffer.buffer, buffer.byteOffset + start, end - start); }

function latin1Slice(buffer, start, end) {
  if (end - start <= kMost) return apply(fromCharCode, undefined, view(buffer, start, end));
  let text = '';
  for (let at = start; at < end; at += kMost) text += apply(fromCharCode, undefined, view(buffer, at, Math.min(at + kMost, end)));
  return text;
}

// The bytes of a text whose characters are bytes.
function bytesOfLatin1(text) {
  const bytes = new Uint8Array(text.length);
  setFromBase64(bytes, btoa(text));
  return bytes;
}

function latin1Write(buffer, text, offset, length) {
  const count = Math.min(text.length, length, buffer.length - offset);
  if (count > kShort && !test(wider, text)) {
    set(buffer, bytesOfLatin1(count < text.length ? slice(text, 0, count) : text), offset);
  } else {
    for (let i = 0; i < count; i++) buffer[offset + i] = charCodeAt(text, i);
  }
  return count;
}

function asciiSlice(buffer, start, end) {
  const text = latin1Slice(buffer, start, end);
  if (!test(wide, text)) return text;
  const bytes = new Uint8Array(end - start);
  for (let i = start; i < end; i++) bytes[i - start] = buffer[i] & 0x7f;
  return latin1Slice(bytes, 0, bytes.length);
}

// ---- UTF-8 --------------------------------------------------------------------------------------------------------------------

// As a text of bytes.
function utf8OfText(text) { return test(wide, text) ? unescape(encodeURIComponent(toWellFormed(text))) : text; }

function utf8Length(text) {
  if (text.length > kShort) return utf8OfText(text).length;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    count += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (code >= 0xd800 && code < 0xdc00 && isTrail(charCodeAt(text, i + 1))) {
      count++;
      i++;
    }
  }
  return count;
}

const isTrail = (code) => code >= 0xdc00 && code < 0xe000;

// Only whole characters.
function utf8Write(buffer, text, offset, length) {
  const end = offset + Math.min(length, buffer.length - offset);
  return text.length > kShort ? writeLongUtf8(buffer, text, offset, end) : writeShortUtf8(buffer, text, offset, end);
}

function writeShortUtf8(buffer, text, offset, end) {
  let at = offset;
  for (let i = 0; i < text.length; i++) {
    let code = charCodeAt(text, i);
    if (code < 0x80) {
      if (at === end) break;
      buffer[at++] = code;
    } else if (code < 0x800) {
      if (at + 2 > end) break;
      buffer[at++] = code >> 6 | 0xc0;
      buffer[at++] = code & 0x3f | 0x80;
    } else {
      if (code >= 0xd800 && code < 0xe000) {
        const next = charCodeAt(text, i + 1);
        if (code < 0xdc00 && isTrail(next)) {
          if (at + 4 > end) break;
          i++;
          code = (code - 0xd800) * 0x400 + next - 0xdc00 + 0x10000;
          buffer[at++] = code >> 18 | 0xf0;
          buffer[at++] = code >> 12 & 0x3f | 0x80;
          buffer[at++] = code >> 6 & 0x3f | 0x80;
          buffer[at++] = code & 0x3f | 0x80;
          continue;
        }
        code = 0xfffd;
      }
      if (at + 3 > end) break;
      buffer[at++] = code >> 12 | 0xe0;
      buffer[at++] = code >> 6 & 0x3f | 0x80;
      buffer[at++] = code & 0x3f | 0x80;
    }
  }
  return at - offset;
}

function writeLongUtf8(buffer, text, offset, end) {
  let bytes = bytesOfLatin1(utf8OfText(text));
  let count = end - offset;
  if (bytes.length > count) {
    while (count > 0 && (bytes[count] & 0xc0) === 0x80) count--;
    bytes = subarray(bytes, 0, count);
  }
  set(buffer, bytes, offset);
  return bytes.length;
}

function utf8Slice(buffer, start, end) {
  const text = latin1Slice(buffer, start, end);
  if (!test(wide, text)) return text;
  try {
    return decodeURIComponent(escape(text));
  } catch {
    return decodeUtf8(buffer, start, end);
  }
}

// What of the bytes from `start` begins a character: [how many, whether they are one].
function prefixOf(buffer, start, end) {
  const first = buffer[start];
  const needed = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (needed < 2) return [1, needed === 1];
  const isStrict = atLeast(10);
  let count = 1;
  for (; count < needed && start + count < end; count++) {
    const byte = buffer[start + count];
    if ((byte & 0xc0) !== 0x80 || (isStrict && count === 1 && !mayFollow(first, byte))) break;
  }
  return [count, count === needed && mayFollow(first, buffer[start + 1])];
}

// Not of one that has a shorter form, of a surrogate, or of one beyond the last character.
function mayFollow(first, byte) {
  if (first === 0xe0) return byte >= 0xa0;
  if (first === 0xed) return byte < 0xa0;
  if (first === 0xf0) return byte >= 0x90;
  return first !== 0xf4 || byte < 0x90;
}

// With U+FFFD for what is wrong: since 10 for each longest prefix of a character (WHATWG Encoding), in 8 also for a whole
// sequence that is no character, before that for each byte.
function decodeUtf8(buffer, start, end) {
  const isOld = !atLeast(8);
  let text = '';
  for (let at = start; at < end;) {
    const [count, isWhole] = prefixOf(buffer, at, end);
    if (!isWhole) {
      text += '\ufffd';
      at += isOld ? 1 : count;
      continue;
    }
    let code = count === 1 ? buffer[at] : buffer[at] & 0xff >> count + 1;
    for (let i = 1; i < count; i++) code = code << 6 | buffer[at + i] & 0x3f;
    text += fromCodePoint(code);
    at += count;
  }
  return text;
}

// ---- UTF-16 -------------------------------------------------------------------------------------------------------------------

function ucs2Slice(buffer, start, end) {
  const count = end - start >> 1;
  const from = buffer.byteOffset + start;
  const units = from % 2 === 0 ? new Uint16Array(buffer.buffer, from, count) :
    new Uint16Array(new Uint8Array(view(buffer, start, start + 2 * count)).buffer);
  let text = '';
  for (let at = 0; at < count; at += kMost) text += apply(fromCharCode, undefined, units.subarray(at, Math.min(at + kMost, count)));
  return text;
}

function ucs2Write(buffer, text, offset, length) {
  const count = Math.min(text.length, Math.min(length, buffer.length - offset) >> 1);
  for (let i = 0; i < count; i++) {
    const code = charCodeAt(text, i);
    buffer[offset + 2 * i] = code;
    buffer[offset + 2 * i + 1] = code >> 8;
  }
  return 2 * count;
}

// ---- base64 and hex -------------------------------------------------------------------------------------------------------

const kUrl = { __proto__: null, alphabet: 'base64url', omitPadding: true };
const kOfUrl = { __proto__: null, alphabet: 'base64url' };
const kDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
// By character: its value in base64, in either alphabet, or in hex; 64: it is no digit of it.
const kNone = 64;
const base64Values = new Uint8Array(256).fill(kNone);
for (let i = 0; i < kDigits.length; i++) base64Values[kDigits.charCodeAt(i)] = i;
base64Values[0x2d] = 62;
base64Values[0x5f] = 63;
const hexValues = new Uint8Array(256).fill(kNone);
for (let i = 0; i < 16; i++) {
  hexValues['0123456789abcdef'.charCodeAt(i)] = i;
  hexValues['0123456789ABCDEF'.charCodeAt(i)] = i;
}

const regular = /^[A-Za-z0-9+/]*={0,2}$/;
const regularUrl = /^[A-Za-z0-9_-]*$/;

function base64Slice(buffer, start, end) { return toBase64(view(buffer, start, end)); }
function base64urlSlice(buffer, start, end) { return toBase64(view(buffer, start, end), kUrl); }

// By the length, as Node reckons: a text that is not regular has fewer.
function base64Length(text) {
  let count = text.length;
  if (charCodeAt(text, count - 1) === 0x3d) count--;
  if (count > 1 && charCodeAt(text, count - 1) === 0x3d) count--;
  return Math.floor(count * 3 / 4);
}

// Either alphabet, up to the first "=", without what is no digit.
function base64Write(buffer, text, offset, length) {
  const room = Math.min(length, buffer.length - offset);
  const isWhole = text.length % 4 === 0 && test(regular, text);
  if (text.length > kShort && base64Length(text) <= room && (isWhole || (text.length % 4 !== 1 && test(regularUrl, text)))) {
    return setFromBase64(subarray(view(buffer, offset, buffer.length), 0, room), text, isWhole ? undefined : kOfUrl).written;
  }
  let at = offset;
  let bits = 0;
  let count = 0;
  for (let i = 0; i < text.length && at < offset + room; i++) {
    const code = charCodeAt(text, i) & 0xff;
    if (code === 0x3d) break;
    const value = base64Values[code];
    if (value === kNone) continue;
    bits = (bits << 6 | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    buffer[at++] = bits >> count;
  }
  return at - offset;
}

function hexSlice(buffer, start, end) { return toHex(view(buffer, start, end)); }

// Up to the first pair that is none.
function hexWrite(buffer, text, offset, length) {
  if (!atLeast(8) && text.length % 2 !== 0) throw new TypeError('Invalid hex string');
  const count = Math.min(text.length >> 1, length, buffer.length - offset);
  for (let i = 0; i < count; i++) {
    const high = hexValues[charCodeAt(text, 2 * i) & 0xff];
    const low = hexValues[charCodeAt(text, 2 * i + 1) & 0xff];
    if (high === kNone || low === kNone) return i;
    buffer[offset + i] = high << 4 | low;
  }
  return count;
}

function longHexWrite(buffer, text, offset, length) {
  const count = Math.min(text.length >> 1, length, buffer.length - offset);
  if (text.length <= kShort || text.length % 2 !== 0 || test(/[^0-9A-Fa-f]/, text)) return hexWrite(buffer, text, offset, length);
  setFromHex(view(buffer, offset, offset + count), slice(text, 0, 2 * count));
  return count;
}

// ---- by name --------------------------------------------------------------------------------------------------------------------

// slice(buffer, start, end) of indexes that are in it; write(buffer, text, offset, length): how many bytes were written.
const ucs2 = { name: 'utf16le', unit: 2, byteLength: (text) => text.length * 2, slice: ucs2Slice, write: ucs2Write };
const utf8 = { name: 'utf8', unit: 1, byteLength: utf8Length, slice: utf8Slice, write: utf8Write };
const latin1 = { name: 'latin1', unit: 1, byteLength: (text) => text.length, slice: latin1Slice, write: latin1Write };
const codecs = {
  __proto__: null,
  utf8, ucs2, latin1,
  ascii: { ...latin1, name: 'ascii', slice: asciiSlice },
  base64: { name: 'base64', unit: 1, byteLength: base64Length, slice: base64Slice, write: base64Write },
  base64url: { name: 'base64url', unit: 1, byteLength: base64Length, slice: base64urlSlice, write: base64Write },
  hex: { name: 'hex', unit: 1, byteLength: (text) => text.length >>> 1, slice: hexSlice, write: longHexWrite },
};
const byName = {
  __proto__: null,
  'utf8': utf8, 'utf-8': utf8, 'ucs2': ucs2, 'ucs-2': ucs2, 'utf16le': ucs2, 'utf-16le': ucs2, 'binary': latin1, 'latin1': latin1,
  'ascii': codecs.ascii, 'base64': codecs.base64, 'base64url': codecs.base64url, 'hex': codecs.hex,
};

// undefined: this version has no such encoding.
function codecOf(encoding) {
  const codec = byName[encoding] ?? byName[toLowerCase(`${encoding}`)];
  if (codec === codecs.base64url && !atLeast(14)) return undefined;
  if (codec === latin1 && !atLeast(6) && toLowerCase(`${encoding}`) === 'latin1') return undefined;
  return codec;
}

// The bytes of a text, alone.
function bytesOf(text, codec) {
  if (typeof text !== 'string') throw notString();
  if (codec === utf8 && text.length > kShort) return bytesOfLatin1(utf8OfText(text));
  const bytes = new Uint8Array(codec.byteLength(text));
  const count = codec.write(bytes, text, 0, bytes.length);
  return count < bytes.length ? subarray(bytes, 0, count) : bytes;
}

// Whether bytes are UTF-8 without an error.
function isWholeUtf8(bytes) {
  const text = latin1Slice(bytes, 0, bytes.length);
  if (!test(wide, text)) return true;
  try {
    decodeURIComponent(escape(text));
    return true;
  } catch {
    return false;
  }
}
function isAscii(bytes) { return !test(wide, latin1Slice(bytes, 0, bytes.length)); }

module.exports = { btoa, bytesOf, codecOf, codecs, isAscii, isWholeUtf8, latin1Slice, set, view };
