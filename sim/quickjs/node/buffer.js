// buffer (lib/buffer.js): the package buffer, and what it has not of Node's.
'use strict';

const { Buffer, SlowBuffer, INSPECT_MAX_BYTES, kMaxLength } = require('vendor/buffer');

const { DOMException } = globalThis;  // also where the program does not see it

// ---- base64url ------------------------------------------------------------------------------------------------------------

const isUrl = (encoding) => typeof encoding === 'string' && encoding.toLowerCase() === 'base64url';
const { from, isEncoding, byteLength } = Buffer;
const { toString, write } = Buffer.prototype;
Buffer.from = function (value, encodingOrOffset, length) {
  return from(value, typeof value === 'string' && isUrl(encodingOrOffset) ? 'base64' : encodingOrOffset, length);
};
Buffer.isEncoding = (encoding) => isUrl(encoding) || isEncoding(encoding);
Buffer.byteLength = (text, encoding) => byteLength(text, isUrl(encoding) ? 'base64' : encoding);
Buffer.prototype.toString = function (encoding, start, end) {
  if (!isUrl(encoding)) return Reflect.apply(toString, this, arguments);
  return Reflect.apply(toString, this, ['base64', start, end]).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_');
};
Buffer.prototype.write = function (...args) {
  return Reflect.apply(write, this, args.map((value) => (isUrl(value) ? 'base64' : value)));
};
for (const name of ['toString', 'write']) Object.defineProperty(Buffer.prototype, name, { enumerable: false });

// ---- atob, btoa -----------------------------------------------------------------------------------------------------------

function btoa(input) {
  const text = `${input}`;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 255) throw new DOMException('Invalid character', 'InvalidCharacterError');
  }
  return Buffer.from(text, 'latin1').toString('base64');
}

function atob(input) {
  let text = `${input}`.replace(/[\t\n\f\r ]/g, '');
  if (text.length % 4 === 0) text = text.replace(/={1,2}$/, '');
  if (/[^A-Za-z0-9+/]/.test(text)) throw new DOMException('Invalid character', 'InvalidCharacterError');
  if (text.length % 4 === 1) {
    throw new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError');
  }
  return Buffer.from(text, 'base64').toString('latin1');
}

const constants = { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: 0x1fffffe8 };

module.exports = {
  Buffer, SlowBuffer, INSPECT_MAX_BYTES, kMaxLength, kStringMaxLength: constants.MAX_STRING_LENGTH, constants, atob, btoa,
  isUtf8(input) {
    try {
      const { TextDecoder } = require('internal/encoding');
      new TextDecoder('utf-8', { fatal: true }).decode(input);
      return true;
    } catch {
      return false;
    }
  },
  isAscii(input) { return new Uint8Array(input.buffer ?? input).every((byte) => byte < 128); },
};
