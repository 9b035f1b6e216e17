// url (lib/url.js, lib/internal/url.js): the packages url, of the functions of old, and whatwg-url-without-unicode. Names of
// hosts that are not ASCII stay as they are: there is no IDNA here.
'use strict';

const whatwg = require('vendor/whatwg_url');
const legacy = require('vendor/url');
const { makeNodeError, received } = require('internal/errors');
const { inspect } = require('internal/inspect');
const { atLeast } = require('internal/version');

function canParse(input, base) {
  try {
    return Boolean(new whatwg.URL(`${input}`, base));
  } catch {
    return false;
  }
}

class URL extends whatwg.URL {
  constructor(input, base = undefined) {
    if (arguments.length === 0 && atLeast(18)) throw makeNodeError(TypeError, 'ERR_MISSING_ARGS', 'The "url" argument must be specified');
    input = `${input}`;
    try {
      super(input, base === undefined ? undefined : `${base}`);
    } catch {
      // Up to Node 16 the base was read first, and up to 14 what cannot be read stood in the message.
      const wrong = base !== undefined && !atLeast(18) && !canParse(base) ? `${base}` : input;
      const message = atLeast(16) ? 'Invalid URL' : `Invalid URL: ${wrong}`;
      const isPlain = atLeast(20) || !atLeast(8);  // the error of C++ has its code beside it; Node 6 had no codes
      const error = isPlain ? new TypeError(message) : makeNodeError(TypeError, 'ERR_INVALID_URL', message);
      if (atLeast(20)) error.code = 'ERR_INVALID_URL';
      error.input = wrong;
      if (base !== undefined && atLeast(20)) error.base = `${base}`;
      Error.captureStackTrace(error, URL);
      throw error;
    }
  }
  static canParse(input, base = undefined) { return canParse(input, base); }
  static parse(input, base = undefined) { return canParse(input, base) ? new URL(input, base) : null; }
  [inspect.custom](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const shown = {};
    for (const name of ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search',
      'searchParams', 'hash']) shown[name] = this[name];
    return `${this.constructor.name} ${inspect(shown, options)}`;
  }
}
Object.defineProperty(URL.prototype, inspect.custom, { enumerable: false });

const { URLSearchParams } = whatwg;
const proto = URLSearchParams.prototype;
const { has, delete: remove } = proto;
function define(name, descriptor) { Object.defineProperty(proto, name, { configurable: true, ...descriptor }); }
define('size', { get() { return [...this].length; }, enumerable: true });
define('has', { writable: true, enumerable: true, value(name, value = undefined) {
  if (value === undefined) return Reflect.apply(has, this, [name]);
  return [...this].some(([own, text]) => own === `${name}` && text === `${value}`);
} });
define('delete', { writable: true, enumerable: true, value(name, value = undefined) {
  const rest = value === undefined ? [] : this.getAll(name).filter((text) => text !== `${value}`);
  Reflect.apply(remove, this, [name]);
  for (const text of rest) this.append(name, text);
} });
define(inspect.custom, { writable: true, value(depth, options) {
  if (typeof depth === 'number' && depth < 0) return inspect('[Object]', options);
  const items = [...this].map(([name, value]) => `${inspect(name, options)} => ${inspect(value, options)}`);
  const line = items.join(', ');
  if (items.length === 0) return 'URLSearchParams {}';
  return line.length > (options?.breakLength ?? 80) ? `URLSearchParams {\n  ${items.join(',\n  ')} }` : `URLSearchParams { ${line} }`;
} });

function fileURLToPath(path) {
  const url = typeof path === 'string' ? new URL(path) : path;
  if (!url || !url.href) {
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE',
                        `The "path" argument must be of type string or an instance of URL.${received(path)}`);
  }
  if (url.protocol !== 'file:') throw makeNodeError(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
  return decodeURIComponent(url.pathname);
}

function pathToFileURL(path) {
  const url = new URL('file://');
  url.pathname = require('path').resolve(path).replace(/%/g, '%25').replace(/\\/g, '%5C').replace(/\n/g, '%0A').replace(/\r/g, '%0D')
    .replace(/\t/g, '%09');
  return url;
}

function urlToHttpOptions(url) {
  const options = { __proto__: null, ...url, protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ''), hash: url.hash,
    search: url.search, pathname: url.pathname, path: `${url.pathname || ''}${url.search || ''}`, href: url.href };
  if (url.port !== '') options.port = Number(url.port);
  if (url.username || url.password) options.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return options;
}

let isParseDeprecated = false;
function parse(...args) {
  if (!isParseDeprecated && internalBinding.facts.major >= 24) {
    isParseDeprecated = true;
    require('process').emitWarning(
      '`url.parse()` behavior is not standardized and prone to errors that have security implications. Use the WHATWG URL API ' +
      'instead. CVEs are not issued for `url.parse()` vulnerabilities.', 'DeprecationWarning', 'DEP0169');
  }
  return legacy.parse(...args);
}

module.exports = {
  Url: legacy.Url, parse, resolve: legacy.resolve, resolveObject: legacy.resolveObject,
  format(url, options) {
    if (!(url instanceof whatwg.URL)) return legacy.format(url);
    const { auth = true, fragment = true, search = true } = options ?? {};
    let text = `${url.protocol}${url.host || url.protocol === 'file:' ? '//' : ''}`;
    if (auth && url.username) text += `${url.username}${url.password ? `:${url.password}` : ''}@`;
    return `${text}${url.host}${url.pathname}${search ? url.search : ''}${fragment ? url.hash : ''}`;
  },
  URL, URLSearchParams, pathToFileURL, fileURLToPath, urlToHttpOptions,
};
