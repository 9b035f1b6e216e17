// The memory of new buffers: small ones share a piece (lib/buffer.js, createPool, allocate, fromStringFast).
//
// What a program sees of it: `buffer` and `byteOffset` of a Buffer. The piece is made when the first buffer is in it, so that a
// process that has none does not pay for it.
'use strict';

const native = internalBinding;
const { bytesOf, codecs, set } = require('internal/buffer_codecs');
const { FastBuffer } = require('internal/buffer_methods');
const { atLeast, major } = require('internal/version');

const kPage = 64;  // since 26 a pool begins at an address that is a multiple of it: here at the first that there is
const kFirst = 4096;  // bytes of a file from which on it is read into memory of its own
// What Node itself has put into the first pool when a program starts.
const kUsedAtStart = { 12: 8, 14: 16, 16: 16, 18: 8, 20: 8, 22: 8 };

const kSmall = 24;  // characters for which the bytes are written in place

let owner;           // Buffer, which has the size of the next pool
let pool;            // undefined: not made yet
let bytes;           // of it
let size = 0;
let offset = 0;
let isStarted = false;

function align() { offset = Math.ceil(offset / 8) * 8; }

function renew() {
  pool = undefined;
  size = owner.poolSize;
  offset = 0;
}

function make() {
  pool = new ArrayBuffer(atLeast(26) ? size + kPage : size);
  bytes = new Uint8Array(pool);
}

// Room in the pool, for `count` bytes: the pool's number of the first.
function reserve(count) {
  if (!isStarted) start();
  if (count > size - offset) renew();
  const at = offset;
  offset += count;
  align();
  return at;
}

// Up to 18 the text of a module is read into a Buffer.
function noteRead(text) {
  if (atLeast(20)) return;
  const count = codecs.utf8.byteLength(text);
  if (count > 0 && count < kFirst) reserve(count);
}

function start() {
  isStarted = true;
  size = atLeast(24) ? 65536 : 8192;
  if (native.facts === undefined) return;
  offset = kUsedAtStart[major()] ?? 0;
  if (!atLeast(20)) noteRead(native.programSource().source);
}

// `forBuffer`: Buffer.
function setOwner(forBuffer) { owner = forBuffer; }
function restart() {
  isStarted = false;
  pool = undefined;
  offset = 0;
}

function isSmall(count) { return count < owner.poolSize >>> 1; }

function allocate(count) {
  if (count <= 0) return new FastBuffer();
  if (!isSmall(count)) return new FastBuffer(count);
  const at = reserve(count);
  if (pool === undefined) make();
  return new FastBuffer(pool, at, count);
}

// A text that is not empty.
function ofText(text, codec) {
  if (text.length > kSmall) return ofLongText(text, codec);
  const most = atLeast(20) ? text.length * 4 : codec.byteLength(text);
  if (!isSmall(most)) return ofBytes(bytesOf(text, codec));
  const at = reserve(most);
  if (pool === undefined) make();
  const count = codec.write(bytes, text, at, most);
  offset = at + count;
  align();
  return new FastBuffer(pool, at, count);
}

function ofLongText(text, codec) {
  const found = bytesOf(text, codec);
  const { length } = found;
  // Since 20 a text is small when it is even if it needs the most bytes, or when it turns out to be.
  const reckoned = codec === codecs.utf8 ? length : codec.byteLength(text);
  const most = atLeast(20) && isSmall(text.length * 4) ? text.length * 4 : reckoned;
  if (!isSmall(most) || !isSmall(text.length)) return ofBytes(found);
  const at = reserve(most);
  if (pool === undefined) make();
  set(bytes, found, at);
  offset = at + length;
  align();
  return new FastBuffer(pool, at, length);
}

// As the memory of a Buffer of its own.
function ofBytes(found) { return new FastBuffer(found.buffer, found.byteOffset, found.length); }

module.exports = { allocate, isSmall, noteRead, ofText, restart, setOwner };
