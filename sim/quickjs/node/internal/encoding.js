// TextEncoder and TextDecoder (lib/internal/encoding.js).
'use strict';

const { Buffer } = require('buffer');
const { makeNodeError } = require('internal/errors');
const { inspect } = require('internal/inspect');

class TextEncoder {
  get encoding() { return 'utf-8'; }
  encode(text = '') {
    const bytes = Buffer.from(String(text).toWellFormed(), 'utf8');
    return new Uint8Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  }
  encodeInto(text, target) {
    let read = 0;
    let written = 0;
    for (const character of String(text)) {
      const bytes = this.encode(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
  [inspect.custom](depth, options) {
    return `${inspect({ encoding: 'utf-8' }, options)}`;
  }
}

const names = {
  'utf-8': ['utf-8', 'utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'],
  'utf-16le': ['utf-16le', 'utf-16', 'ucs-2', 'unicode', 'iso-10646-ucs-2', 'csunicode', 'unicodefeff'],
  'windows-1252': ['latin1', 'ascii', 'iso-8859-1', 'windows-1252', 'us-ascii', 'l1', 'cp1252'],
};

// UTF-8 to code points: each wrong sequence is one U+FFFD (WHATWG Encoding), or `wrong()` is called. `rest` takes bytes of
// a character that is not whole.
function decodeUtf8(bytes, isLast, rest, wrong) {
  let text = '';
  let i = 0;
  while (i < bytes.length) {
    const first = bytes[i];
    if (first < 0x80) {
      text += String.fromCharCode(first);
      i++;
      continue;
    }
    const needed = first >= 0xc2 && first <= 0xdf ? 1 : first >= 0xe0 && first <= 0xef ? 2 : first >= 0xf0 && first <= 0xf4 ? 3 : 0;
    let code = needed === 1 ? first & 0x1f : needed === 2 ? first & 0xf : first & 7;
    let k = 1;
    for (; k <= needed && i + k < bytes.length; k++) {
      const next = bytes[i + k];
      const low = k === 1 && first === 0xe0 ? 0xa0 : k === 1 && first === 0xf0 ? 0x90 : 0x80;
      const high = k === 1 && first === 0xed ? 0x9f : k === 1 && first === 0xf4 ? 0x8f : 0xbf;
      if (next < low || next > high) break;
      code = code << 6 | (next & 0x3f);
    }
    if (needed > 0 && k > needed) {
      text += String.fromCodePoint(code);
    } else if (needed > 0 && i + k >= bytes.length && !isLast) {
      rest.push(...bytes.subarray(i));
      return text;
    } else {
      text += wrong();
    }
    i += k;
  }
  return text;
}

class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  #rest = [];
  #isStarted = false;
  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    const wanted = String(label).trim().toLowerCase();
    this.#encoding = Object.keys(names).find((name) => names[name].includes(wanted));
    if (!this.#encoding) {
      throw makeNodeError(RangeError, 'ERR_ENCODING_NOT_SUPPORTED', `The "${label}" encoding is not supported`);
    }
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
  }
  get encoding() { return this.#encoding; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }
  decode(input = new Uint8Array(0), { stream = false } = {}) {
    if (!ArrayBuffer.isView(input) && !(input instanceof ArrayBuffer) && !(input instanceof SharedArrayBuffer)) {
      throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE',
                          'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.');
    }
    const given = ArrayBuffer.isView(input) ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) :
      new Uint8Array(input);
    const bytes = Uint8Array.from([...this.#rest, ...given]);
    this.#rest = [];
    const wrong = () => {
      if (!this.#fatal) return '\ufffd';
      throw makeNodeError(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA',
                          `The encoded data was not valid for encoding ${this.#encoding}`);
    };
    let text;
    if (this.#encoding === 'utf-8') {
      text = decodeUtf8(bytes, !stream, this.#rest, wrong);
    } else if (this.#encoding === 'utf-16le') {
      const whole = bytes.length & ~1;
      text = Buffer.from(bytes.subarray(0, whole)).toString('utf16le').toWellFormed();
      if (whole < bytes.length) {
        if (stream) this.#rest.push(bytes[whole]);
        else text += wrong();
      }
    } else {
      text = Buffer.from(bytes).toString('latin1');
    }
    if (!this.#isStarted && !this.#ignoreBOM && this.#encoding !== 'windows-1252' && text[0] === '\ufeff') text = text.slice(1);
    this.#isStarted = stream && (this.#isStarted || text.length > 0);
    return text;
  }
}
for (const [Class, name] of [[TextEncoder, 'TextEncoder'], [TextDecoder, 'TextDecoder']]) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name, configurable: true });
}

module.exports = { TextEncoder, TextDecoder };
