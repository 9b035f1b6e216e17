// URL and URLSearchParams: those of Node's library, with a browser's errors.
'use strict';

const { URL: Below, URLSearchParams } = require('url');
const { isFirefox, needArgs } = require('web/words');

function make(input, base) {
  try {
    return base === undefined ? new Below(input) : new Below(input, base);
  } catch {
    return null;
  }
}

class URL extends Below {
  constructor(url, base = undefined) {
    needArgs('URL', undefined, arguments, 1);
    const text = `${url}`;
    if (make(text, base === undefined ? undefined : `${base}`) === null) {
      const isBase = base !== undefined && make(`${base}`) === null;
      throw new TypeError(isFirefox() ? `URL constructor: ${isBase ? base : text} is not a valid URL.` :
        `Failed to construct 'URL': Invalid ${isBase ? 'base ' : ''}URL`);
    }
    super(text, base === undefined ? undefined : `${base}`);
  }
  static canParse(url, base = undefined) { return make(`${url}`, base === undefined ? undefined : `${base}`) !== null; }
  static parse(url, base = undefined) { return URL.canParse(url, base) ? new URL(url, base) : null; }
}

// A text taken from the document's place; null: it is no URL.
const resolve = (text) => make(`${text}`, globalThis.location?.href);

module.exports = { URL, URLSearchParams, make, resolve };
