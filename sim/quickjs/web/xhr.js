// XMLHttpRequest (XMLHttpRequest standard), asynchronous: what is open with false is refused.
'use strict';

const native = internalBinding;
const { ProgressEvent } = require('web/events');
const { Event, EventTarget, defineHandler, dispatch, makeEvent } = require('web/event_target');
const { DOMException } = require('web/dom_exception');
const { ask, isToken, kForbidden, kNormalized } = require('web/fetch');
const { encode } = require('web/text');
const { resolve } = require('web/url');
const { constants, describe, kKey } = require('web/webidl');
const { domError, illegalConstructor, isFirefox, isObject, prefixed } = require('web/words');

const kUnsent = 0;
const kOpened = 1;
const kHeaders = 2;
const kLoading = 3;
const kDone = 4;

class XMLHttpRequestEventTarget extends EventTarget {
  static length = 0;
  constructor(key) {
    if (key !== kKey) throw illegalConstructor('XMLHttpRequestEventTarget');
    super();
  }
}
for (const type of ['loadstart', 'progress', 'abort', 'error', 'load', 'timeout', 'loadend']) {
  defineHandler(XMLHttpRequestEventTarget.prototype, type);
}
describe(XMLHttpRequestEventTarget);
class XMLHttpRequestUpload extends XMLHttpRequestEventTarget {}
describe(XMLHttpRequestUpload);

const wrongState = (member, chrome, firefox) => domError('InvalidStateError', 'XMLHttpRequest', member, chrome, firefox);

let isRequest;
class XMLHttpRequest extends XMLHttpRequestEventTarget {
  #state = kUnsent;
  #isSent = false;
  #method = 'GET';
  #url = '';
  #answer = null;     // what has come so far
  #text = '';
  #tasks = [];
  #timeout = 0;
  #sentAt = 0;
  #type = '';
  #response;          // what responseType makes of the text
  #upload = new XMLHttpRequestUpload(kKey);
  withCredentials = false;
  static { isRequest = (value) => isObject(value) && #state in value; }
  constructor() { super(kKey); }
  get readyState() { return this.#state; }
  get upload() { return this.#upload; }
  get timeout() { return this.#timeout; }
  set timeout(value) {
    this.#timeout = Number(value) >>> 0;
    if (this.#isSent) this.#limit();
  }
  get responseURL() { return this.#answer ? this.#url.replace(/#.*$/, '') : ''; }
  get status() { return this.#answer?.status ?? 0; }
  get statusText() { return this.#answer?.statusText ?? ''; }
  get responseType() { return this.#type; }
  set responseType(value) {
    if (['', 'arraybuffer', 'blob', 'document', 'json', 'text'].includes(`${value}`)) this.#type = `${value}`;
  }
  get responseText() {
    if (this.#type !== '' && this.#type !== 'text') {
      throw new DOMException(isFirefox() ?
        "XMLHttpRequest.responseText getter: responseText is only available if responseType is '' or 'text'." :
        "Failed to read the 'responseText' property from 'XMLHttpRequest': The value is only accessible if the object's " +
        `'responseType' is '' or 'text' (was '${this.#type}').`, 'InvalidStateError');
    }
    return this.#text;
  }
  get responseXML() { return null; }
  get response() {
    if (this.#type === '' || this.#type === 'text') return this.#text;
    if (this.#state !== kDone || !this.#answer) return null;
    if (this.#response === undefined) {
      this.#response = null;
      if (this.#type === 'arraybuffer') {
        this.#response = encode(this.#text).buffer;
      } else if (this.#type === 'json') {
        try {
          this.#response = JSON.parse(this.#text);
        } catch {
          this.#response = null;
        }
      }
    }
    return this.#response;
  }
  open(method, url) {
    if (arguments.length < 2) {
      throw new TypeError(prefixed('XMLHttpRequest', 'open', `2 arguments required, but only ${arguments.length} present.`,
                                   `${arguments.length} is not a valid argument count for any overload.`));
    }
    const given = `${method}`;
    const plain = (name, chrome, firefox) =>
      (isFirefox() ? new DOMException(firefox, name) : domError(name, 'XMLHttpRequest', 'open', chrome));
    if (!isToken(given)) throw plain('SyntaxError', `'${given}' is not a valid HTTP method.`, 'An invalid or illegal string was specified');
    const upper = given.toUpperCase();
    if (kForbidden.has(upper)) throw plain('SecurityError', `'${given}' HTTP method is unsupported.`, 'The operation is insecure.');
    const parsed = resolve(url);
    if (parsed === null) throw domError('SyntaxError', 'XMLHttpRequest', 'open', 'Invalid URL', `'${url}' is not a valid URL.`);
    if (arguments.length > 2 && !arguments[2]) {
      throw domError('NotSupportedError', 'XMLHttpRequest', 'open', 'Synchronous requests are not simulated.');
    }
    this.#cancel();
    this.#method = kNormalized.has(upper) ? upper : given;
    this.#url = parsed.href;
    this.#isSent = false;
    this.#answer = null;
    this.#text = '';
    this.#response = undefined;
    if (this.#state !== kOpened) this.#change(kOpened);
  }
  setRequestHeader(name) {
    if (this.#state !== kOpened || this.#isSent) {
      throw wrongState('setRequestHeader', "The object's state must be OPENED.", 'XMLHttpRequest state must be OPENED.');
    }
    if (!isToken(`${name}`)) {
      throw domError('SyntaxError', 'XMLHttpRequest', 'setRequestHeader', `'${name}' is not a valid HTTP header field name.`,
                     'Invalid header name.');
    }
  }
  overrideMimeType() {}
  send() {
    if (this.#state !== kOpened || this.#isSent) {
      throw wrongState('send', "The object's state must be OPENED.",
                       this.#isSent ? 'XMLHttpRequest must not be sending.' : 'XMLHttpRequest state must be OPENED.');
    }
    this.#isSent = true;
    this.#sentAt = native.time();
    this.#progress('loadstart', 0, 0);
    if (this.#state !== kOpened || !this.#isSent) return;  // a listener has called abort()
    const answer = ask(this.#url, this.#method);
    this.#tasks.push(native.queueTask('fetch', () => this.#arrive(answer), [], answer.takes, 1));
    this.#limit();
  }
  abort() {
    this.#cancel();
    if ((this.#state === kOpened && this.#isSent) || this.#state === kHeaders || this.#state === kLoading) this.#fail('abort');
    if (this.#state === kDone) {
      this.#state = kUnsent;
      this.#answer = null;
    }
  }
  getResponseHeader(name) {
    const { headers } = this.#answer ?? { headers: {} };
    const found = Object.keys(headers).find((key) => key.toLowerCase() === `${name}`.toLowerCase());
    return found === undefined ? null : `${headers[found]}`;
  }
  getAllResponseHeaders() {
    const { headers } = this.#answer ?? { headers: {} };
    return Object.keys(headers).map((key) => [key.toLowerCase(), headers[key]]).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, value]) => `${key}: ${value}\r\n`).join('');
  }
  #cancel() {
    for (const id of this.#tasks) native.cancelTask(id);
    this.#tasks = [];
  }
  #limit() {
    if (this.#timeout === 0) return;
    const wait = Math.max(0, this.#timeout - (native.time() - this.#sentAt));
    this.#tasks.push(native.queueTask('fetch', () => {
      if (!this.#isSent || this.#timeout === 0) return;
      this.#cancel();
      this.#fail('timeout');
    }, [], wait, 1));
  }
  #change(state) {
    this.#state = state;
    dispatch(this, makeEvent(Event, 'readystatechange'));
  }
  #progress(type, loaded, total) {
    dispatch(this, makeEvent(ProgressEvent, type, { lengthComputable: total > 0, loaded, total }));
  }
  #fail(type) {
    this.#isSent = false;
    this.#answer = null;
    this.#text = '';
    this.#change(kDone);
    this.#progress(type, 0, 0);
    this.#progress('loadend', 0, 0);
  }
  // Head and body come together. Who aborts, or opens it anew, in between gets no more.
  #arrive(answer) {
    this.#cancel();
    if (answer.status === undefined) {
      this.#fail('error');
      return;
    }
    const isOn = () => this.#answer === answer && this.#isSent;
    this.#answer = answer;
    this.#change(kHeaders);
    if (!isOn()) return;
    const size = encode(answer.text).length;
    if (size > 0) {
      this.#text = answer.text;
      this.#change(kLoading);
      if (!isOn()) return;
    }
    if (size > 0 || isFirefox()) this.#progress('progress', size, size);
    if (!isOn()) return;
    this.#isSent = false;
    this.#change(kDone);
    if (this.#answer !== answer || this.#state !== kDone) return;
    this.#progress('load', size, size);
    if (this.#answer !== answer || this.#state !== kDone) return;
    this.#progress('loadend', size, size);
  }
}
defineHandler(XMLHttpRequest.prototype, 'readystatechange');
describe(XMLHttpRequest, isRequest);
constants(XMLHttpRequest, { UNSENT: kUnsent, OPENED: kOpened, HEADERS_RECEIVED: kHeaders, LOADING: kLoading, DONE: kDone });

module.exports = { XMLHttpRequest, XMLHttpRequestEventTarget, XMLHttpRequestUpload };
