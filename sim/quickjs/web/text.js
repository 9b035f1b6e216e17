// atob(), btoa(), TextEncoder and TextDecoder.
'use strict';

const { describe } = require('web/webidl');
const { isFirefox, needArgs, prefixed } = require('web/words');

const kDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function wrongCharacter(member, chrome) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(isFirefox() ? 'String contains an invalid character' : prefixed('Window', member, chrome),
                          'InvalidCharacterError');
}

const functions = {
  atob(data) {
    needArgs('Window', 'atob', arguments, 1);
    let text = `${data}`.replace(/[\t\n\f\r ]/g, '');
    if (text.length % 4 === 0) text = text.replace(/={1,2}$/, '');
    if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) {
      throw wrongCharacter('atob', 'The string to be decoded is not correctly encoded.');
    }
    let result = '';
    let bits = 0;
    let count = 0;
    for (const c of text) {
      bits = (bits << 6 | kDigits.indexOf(c)) & 0xffffff;
      count += 6;
      if (count < 8) continue;
      count -= 8;
      result += String.fromCharCode(bits >> count & 0xff);
    }
    return result;
  },
  btoa(data) {
    needArgs('Window', 'btoa', arguments, 1);
    const text = `${data}`;
    if (/[^\0-\xff]/.test(text)) throw wrongCharacter('btoa', 'The string to be encoded contains characters outside of the Latin1 range.');
    let result = '';
    for (let i = 0; i < text.length; i += 3) {
      const [a, b, c] = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)];
      result += kDigits[a >> 2] + kDigits[(a & 3) << 4 | b >> 4] + (i + 1 < text.length ? kDigits[(b & 15) << 2 | c >> 6] : '=') +
        (i + 2 < text.length ? kDigits[c & 63] : '=');
    }
    return result;
  },
};

// UTF-8.
function encode(text) {
  const bytes = [];
  for (const c of text) {
    let code = c.codePointAt(0);
    if (code >= 0xd800 && code < 0xe000) code = 0xfffd;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | code >> 6, 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | code >> 12, 0x80 | (code >> 6 & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | code >> 18, 0x80 | (code >> 12 & 63), 0x80 | (code >> 6 & 63), 0x80 | (code & 63));
  }
  return new Uint8Array(bytes);
}

// Each wrong sequence is one U+FFFD; undefined: a sequence is wrong, and shall not be.
function decode(bytes, isFatal = false) {
  let text = '';
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i];
    const needed = first < 0x80 ? 0 : first >= 0xc2 && first <= 0xdf ? 1 : first >= 0xe0 && first <= 0xef ? 2 :
      first >= 0xf0 && first <= 0xf4 ? 3 : -1;
    let code = needed <= 0 ? first : first & (0x3f >> needed);
    let k = 1;
    for (; k <= needed && i + k < bytes.length; k++) {
      const next = bytes[i + k];
      const low = k === 1 && first === 0xe0 ? 0xa0 : k === 1 && first === 0xf0 ? 0x90 : 0x80;
      const high = k === 1 && first === 0xed ? 0x9f : k === 1 && first === 0xf4 ? 0x8f : 0xbf;
      if (next < low || next > high) break;
      code = code << 6 | (next & 63);
    }
    if (needed >= 0 && k > needed) {
      text += String.fromCodePoint(code);
    } else {
      if (isFatal) return undefined;
      text += '\ufffd';
    }
    i += k;
  }
  return text;
}

class TextEncoder {
  get encoding() { return 'utf-8'; }
  encode(input = '') { return encode(`${input}`); }
  encodeInto(source, destination) {
    let read = 0;
    let written = 0;
    for (const character of `${source}`) {
      const bytes = encode(character);
      if (written + bytes.length > destination.length) break;
      destination.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}
describe(TextEncoder);

class TextDecoder {
  #fatal;
  #ignoreBOM;
  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    if (!/^\s*(?:utf-?8|unicode-1-1-utf-8)\s*$/i.test(label)) {
      throw new RangeError(prefixed('TextDecoder', undefined, `The encoding label provided ('${label}') is invalid.`,
                                    `The given encoding '${label}' is not supported.`));
    }
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
  }
  get encoding() { return 'utf-8'; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }
  decode(input = new Uint8Array(0)) {
    const bytes = ArrayBuffer.isView(input) ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
    const text = decode(bytes, this.#fatal);
    if (text === undefined) throw new TypeError(prefixed('TextDecoder', 'decode', 'The encoded data was not valid.', 'Decoding failed.'));
    return text[0] === '\ufeff' && !this.#ignoreBOM ? text.slice(1) : text;
  }
}
describe(TextDecoder);

module.exports = { TextDecoder, TextEncoder, decode, encode, functions };
