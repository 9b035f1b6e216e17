// querystring (lib/querystring.js): the package querystring-es3, and what it has not of Node's.
'use strict';

const { parse, stringify } = require('vendor/querystring');

const escape = (text) => encodeURIComponent(typeof text === 'object' ? String(text) : text)
  .replace(/[%]5[Bb]|%5[Dd]/g, (it) => it.toUpperCase());
function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = String(text).replace(/%([0-9a-f]{2})/gi, (it, hex) => String.fromCharCode(parseInt(hex, 16)));
    return require('buffer').Buffer.from(bytes, 'binary').toString();
  }
}
// Node's object has no prototype.
const parseAsNode = (...args) => Object.assign(Object.create(null), parse(...args));

module.exports = { parse: parseAsNode, decode: parseAsNode, stringify, encode: stringify, escape, unescape };
