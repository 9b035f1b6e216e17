// fetch(), Headers, Request and Response (Fetch standard). What a server answers, and when, is what the scenario declares.
'use strict';

const native = internalBinding;
const { AbortSignal, insidesOf, isSignal, makeDependent } = require('web/abort');
const { URLSearchParams, make, resolve } = require('web/url');
const { decode, encode } = require('web/text');
const { describe, kKey } = require('web/webidl');
const { isFirefox, isObject, needArgs, needDictionary, prefixed, typeError, wrongMember } = require('web/words');

// ---- Headers -------------------------------------------------------------------------------------------------------------------------

const isToken = (text) => /^[-!#$%&'*+.^_`|~\w]+$/.test(text);

let isHeaders;
class Headers {
  #items = new Map();  // by name in small letters: values
  static { isHeaders = (value) => isObject(value) && #items in value; }
  constructor() {
    const init = arguments[0];
    if (init === undefined) return;
    if (!isObject(init)) {
      throw typeError('Headers', undefined,
                      "The provided value is not of type '(record<ByteString, ByteString> or sequence<sequence<ByteString>>)'.",
                      'Argument 1 could not be converted to any of: sequence<sequence<ByteString>>, record<ByteString, ByteString>.');
    }
    const pairs = typeof init[Symbol.iterator] === 'function' ? [...init].map((pair) => [...pair]) : Object.entries(init);
    for (const pair of pairs) {
      if (pair.length !== 2) {
        throw typeError('Headers', undefined, 'Invalid value', 'Headers require name/value tuples when being initialized by a sequence.');
      }
      this.#add(undefined, pair[0], pair[1]);
    }
  }
  #add(member, name, value) {
    const key = checkName(member, name).toLowerCase();
    const text = `${value}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
    if (/[^\0-\xff]/.test(text)) throw typeError('Headers', member, 'String contains non ISO-8859-1 code point.');
    if (/[\0\n\r]/.test(text)) throw typeError('Headers', member, 'Invalid value', `${text} is an invalid header value.`);
    if (!this.#items.has(key)) this.#items.set(key, []);
    this.#items.get(key).push(text);
  }
  append(name, value) {
    needArgs('Headers', 'append', arguments, 2);
    this.#add('append', name, value);
  }
  delete(name) {
    needArgs('Headers', 'delete', arguments, 1);
    this.#items.delete(checkName('delete', name).toLowerCase());
  }
  get(name) {
    needArgs('Headers', 'get', arguments, 1);
    return this.#items.get(checkName('get', name).toLowerCase())?.join(', ') ?? null;
  }
  has(name) {
    needArgs('Headers', 'has', arguments, 1);
    return this.#items.has(checkName('has', name).toLowerCase());
  }
  set(name, value) {
    needArgs('Headers', 'set', arguments, 2);
    this.#items.delete(checkName('set', name).toLowerCase());
    this.#add('set', name, value);
  }
  forEach(callback, receiver = undefined) { for (const [name, value] of this) Reflect.apply(callback, receiver, [value, name, this]); }
  * entries() { for (const name of [...this.#items.keys()].sort()) yield [name, this.#items.get(name).join(', ')]; }
  * keys() { for (const [name] of this.entries()) yield name; }
  * values() { for (const [, value] of this.entries()) yield value; }
}
describe(Headers, isHeaders, { inspect() { return `Headers {${[...this].map(([name, value]) => `${name}: ${value}`).join(', ')}}`; } });
Object.defineProperty(Headers.prototype, Symbol.iterator, { value: Headers.prototype.entries, writable: true, configurable: true });

function checkName(member, name) {
  const text = `${name}`;
  if (!isToken(text)) throw typeError('Headers', member, 'Invalid name', `${text} is an invalid header name.`);
  return text;
}

// ---- bodies ----------------------------------------------------------------------------------------------------------------------------

// A body: { text, isUsed, isFromNetwork }; null: none.
function bodyOf(given, headers) {
  if (given === null || given === undefined) return null;
  const isBytes = ArrayBuffer.isView(given) || given instanceof ArrayBuffer;
  const bytes = () => (ArrayBuffer.isView(given) ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength) :
    new Uint8Array(given));
  const text = isBytes ? decode(bytes()) : `${given}`;
  const type = isBytes ? undefined : given instanceof URLSearchParams ? 'application/x-www-form-urlencoded;charset=UTF-8' :
    'text/plain;charset=UTF-8';
  if (type && !headers.has('content-type')) headers.set('content-type', type);
  return { text, isUsed: false, isFromNetwork: false };
}

// The whole text of a body. That of an answer from the network comes with a task; Firefox takes one for each body.
function consume(Interface, member, insides, convert) {
  return new Promise((settle, reject) => {
    const { body, signal } = insides;
    if (body?.isUsed) {
      throw typeError(Interface, member, 'body stream already read', 'Body has already been consumed.');
    }
    if (signal && insidesOf(signal).aborted) throw insidesOf(signal).reason;
    const finish = () => {
      try {
        settle(convert(body?.text ?? ''));
      } catch (error) {
        reject(error);
      }
    };
    if (body) body.isUsed = true;
    if (!body || (!body.isFromNetwork && !isFirefox())) {
      finish();
      return;
    }
    if (!signal) {
      native.queueTask('fetch', finish, [], 0, 1);
      return;
    }
    const { algorithms } = insidesOf(signal);
    const id = native.queueTask('fetch', () => {
      algorithms.delete(abort);
      finish();
    }, [], 0, 1);
    const abort = () => {
      native.cancelTask(id);
      reject(insidesOf(signal).reason);
    };
    algorithms.add(abort);
  });
}

function parseJson(Interface, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!isFirefox()) error.message = prefixed(Interface, 'json', error.message);
    throw error;
  }
}

function mixBody(Class, insidesFor) {
  const Interface = Class.name;
  const members = {
    get body() { return insidesFor(this).body === null ? null : {}; },
    get bodyUsed() { return insidesFor(this).body?.isUsed ?? false; },
    arrayBuffer() { return consume(Interface, 'arrayBuffer', insidesFor(this), (text) => encode(text).buffer); },
    bytes() { return consume(Interface, 'bytes', insidesFor(this), encode); },
    json() { return consume(Interface, 'json', insidesFor(this), (text) => parseJson(Interface, text)); },
    text() { return consume(Interface, 'text', insidesFor(this), (text) => text); },
  };
  for (const [key, it] of Object.entries(Object.getOwnPropertyDescriptors(members))) Object.defineProperty(Class.prototype, key, it);
}

// ---- Request -----------------------------------------------------------------------------------------------------------------------

const kNormalized = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
const kForbidden = new Set(['CONNECT', 'TRACE', 'TRACK']);

let requestInsides;
let isRequest;
class Request {
  #insides;
  static {
    requestInsides = (request) => request.#insides;
    isRequest = (value) => isObject(value) && #insides in value;
  }
  constructor(input) {
    needArgs('Request', undefined, arguments, 1);
    const init = needDictionary('Request', undefined, arguments[1], 'RequestInit', 2);
    this.#insides = readRequest(input, init, 'Request', undefined);
  }
  get url() { return this.#insides.url; }
  get method() { return this.#insides.method; }
  get headers() { return this.#insides.headers; }
  get signal() { return this.#insides.signal; }
  get mode() { return this.#insides.mode; }
  get credentials() { return this.#insides.credentials; }
  get cache() { return this.#insides.cache; }
  get redirect() { return 'follow'; }
  get destination() { return ''; }
  clone() { return new Request(this); }
}
mixBody(Request, (request) => requestInsides(request));
describe(Request, isRequest, { inspect() { return `Request {method: '${this.method}', url: '${this.url}'}`; } });

function readRequest(input, init, Interface, member) {
  const from = isRequest(input) ? requestInsides(input) : undefined;
  const url = from ? from.url : resolve(input)?.href;
  if (url === undefined) {
    throw typeError(Interface, member, `Failed to parse URL from ${input}`, `${input} is not a valid URL.`);
  }
  const given = init.method === undefined ? from?.method ?? 'GET' : `${init.method}`;
  const upper = given.toUpperCase();
  if (!isToken(given)) throw typeError(Interface, member, `'${given}' is not a valid HTTP method.`, `Invalid request method ${given}.`);
  if (kForbidden.has(upper)) {
    throw typeError(Interface, member, `'${given}' HTTP method is unsupported.`, `Invalid request method ${given}.`);
  }
  const method = kNormalized.has(upper) ? upper : given;
  const headers = new Headers(init.headers ?? (from ? from.headers : undefined));
  if (init.body !== undefined && init.body !== null && (method === 'GET' || method === 'HEAD')) {
    throw typeError(Interface, member, 'Request with GET/HEAD method cannot have body.', 'HEAD or GET Request cannot have a body.');
  }
  const body = init.body !== undefined ? bodyOf(init.body, headers) : from?.body ? { ...from.body } : null;
  if (init.signal !== undefined && init.signal !== null && !isSignal(init.signal)) {
    throw wrongMember(Interface, member, 'RequestInit', 'signal', 'AbortSignal');
  }
  const source = init.signal === null ? undefined : init.signal ?? from?.signal;
  const signal = makeDependent(new AbortSignal(kKey), source ? [source] : []);
  return { url, method, headers, body, signal, mode: init.mode ?? 'cors', credentials: init.credentials ?? 'same-origin',
    cache: init.cache ?? 'default' };
}

// ---- Response ----------------------------------------------------------------------------------------------------------------------

const kTexts = {
  200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No Content', 301: 'Moved Permanently', 302: 'Found', 304: 'Not Modified',
  400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 409: 'Conflict', 410: 'Gone',
  429: 'Too Many Requests', 500: 'Internal Server Error', 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout',
};

let responseInsides;
let isResponse;
class Response {
  #insides;
  static {
    responseInsides = (response) => response.#insides;
    isResponse = (value) => isObject(value) && #insides in value;
  }
  constructor() {
    if (arguments[0] === kKey) {
      [, this.#insides] = arguments;
      return;
    }
    const init = needDictionary('Response', undefined, arguments[1], 'ResponseInit', 2);
    const status = init.status === undefined ? 200 : Math.trunc(Number(init.status)) & 0xffff;
    if (status < 200 || status > 599) {
      throw new RangeError(prefixed('Response', undefined, `The status provided (${status}) is outside the range [200, 599].`,
                                    'Invalid response status code.'));
    }
    const headers = new Headers(init.headers);
    const body = arguments[0];
    if (body !== null && body !== undefined && [204, 205, 304].includes(status)) {
      throw typeError('Response', undefined, 'Response with null body status cannot have body',
                      'Response body is given with a null body status.');
    }
    this.#insides = { status, statusText: `${init.statusText ?? ''}`, headers, body: bodyOf(body, headers), url: '', type: 'default' };
  }
  static error() {
    return new Response(kKey, { status: 0, statusText: '', headers: new Headers(), body: null, url: '', type: 'error' });
  }
  static json(data) {
    const init = { ...arguments[1] };
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new Response(JSON.stringify(data), { ...init, headers });
  }
  static redirect(url, status = 302) {
    return new Response(null, { status, headers: { location: resolve(url)?.href ?? `${url}` } });
  }
  get type() { return this.#insides.type; }
  get url() { return this.#insides.url; }
  get redirected() { return false; }
  get status() { return this.#insides.status; }
  get ok() { return this.#insides.status >= 200 && this.#insides.status <= 299; }
  get statusText() { return this.#insides.statusText; }
  get headers() { return this.#insides.headers; }
  clone() {
    const { body } = this.#insides;
    if (body?.isUsed) throw typeError('Response', 'clone', 'Response body is already used', 'Body has already been consumed.');
    return new Response(kKey, { ...this.#insides, headers: new Headers(this.#insides.headers), body: body && { ...body } });
  }
}
mixBody(Response, (response) => responseInsides(response));
describe(Response, isResponse, { inspect() { return `Response {status: ${this.status}, url: '${this.url}'}`; } });

// ---- the network -------------------------------------------------------------------------------------------------------------------

const textOfBody = (body) => (body === null || body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));

// Asks for an answer: { takes, status, statusText, text, headers, isEmpty }; an answer without `status` is a network error. A URL that
// carries its data is answered at once.
function ask(url, method) {
  const data = /^data:([^,]*),(.*)$/s.exec(url);
  if (data) {
    const isBase64 = /;base64$/i.test(data[1]);
    const text = isBase64 ? require('web/text').functions.atob(decodeURIComponent(data[2])) : decodeURIComponent(data[2]);
    return { takes: 0, status: 200, statusText: 'OK', text, headers: { 'content-type': data[1].replace(/;base64$/i, '') || 'text/plain' } };
  }
  const given = native.answer(url, method);
  if (given === null || given === undefined) return { takes: 0 };
  const { takes = 0, status = 200, body, headers = {} } = given;
  if (status === 0) return { takes };
  return { takes, status, statusText: given.statusText ?? kTexts[status] ?? '', headers: { ...headers },
    text: method === 'HEAD' || [204, 205, 304].includes(status) ? '' : textOfBody(body) };
}

function fetch(input) {
  return new Promise((settle, reject) => {
    needArgs('Window', 'fetch', arguments, 1);
    const init = needDictionary('Window', 'fetch', arguments[1], 'RequestInit', 2);
    const { url, method, signal } = readRequest(input, init, 'Window', 'fetch');
    if (insidesOf(signal).aborted) throw insidesOf(signal).reason;
    const answer = ask(url, method);
    const { algorithms } = insidesOf(signal);
    const id = native.queueTask('fetch', () => {
      algorithms.delete(abort);
      if (answer.status === undefined) {
        reject(new TypeError(isFirefox() ? 'NetworkError when attempting to fetch resource.' : 'Failed to fetch'));
        return;
      }
      const { status, statusText, text, headers } = answer;
      const body = [204, 205, 304].includes(status) ? null : { text, isUsed: false, isFromNetwork: true };
      const type = make(url)?.origin === globalThis.location.origin || url.startsWith('data:') ? 'basic' : 'cors';
      settle(new Response(kKey, { status, statusText, headers: new Headers(headers), body, url: url.replace(/#.*$/, ''), type, signal }));
    }, [], answer.takes, 1);
    const abort = () => {
      native.cancelTask(id);
      reject(insidesOf(signal).reason);
    };
    algorithms.add(abort);
  });
}

module.exports = { Headers, Request, Response, ask, fetch, isToken, kForbidden, kNormalized };
