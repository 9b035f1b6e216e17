// The window: the global object, and what it shows (HTML standard, section 7.2).
'use strict';

const native = internalBinding;
const { console } = require('web/console');
const { makeDocument, Document, HTMLDocument } = require('web/document');
const { DOMException } = require('web/dom_exception');
const elements = require('web/elements');
const { classes: eventClasses } = require('web/events');
const { EventTarget, currentEvent, defineHandler } = require('web/event_target');
const { Attr, DOMStringMap, DOMTokenList, HTMLCollection, NamedNodeMap, NodeList } = require('web/collections');
const { AbortController, AbortSignal } = require('web/abort');
const { CharacterData, Comment, DocumentFragment, Node, Text } = require('web/nodes');
const { CSSStyleDeclaration, makeStyle } = require('web/style');
const fetching = require('web/fetch');
const location = require('web/location');
const messages = require('web/messages');
const { MutationObserver, MutationRecord } = require('web/mutation_observer');
const observers = require('web/observers');
const performance = require('web/performance');
const scheduler = require('web/scheduler');
const text = require('web/text');
const timers = require('web/timers');
const { URL, URLSearchParams } = require('web/url');
const xhr = require('web/xhr');
const { cloneWith, readTransfer } = require('web/structured_clone');
const { dataOf } = require('web/tree');
const { describe, kKey } = require('web/webidl');
const { domError, illegalConstructor, isFirefox, isObject, needArgs, plainError, typeError } = require('web/words');

class Window extends EventTarget {
  constructor() { throw illegalConstructor('Window'); }
}
describe(Window);
// What stands between a window and EventTarget: names of elements.
const properties = Object.create(EventTarget.prototype, { [Symbol.toStringTag]: { value: 'WindowProperties', configurable: true } });
Object.setPrototypeOf(Window.prototype, properties);
// The element with an id goes by that name, as long as nothing of the program has it. (Where no element has it any more the name is
// undefined, instead of unknown.)
elements.nameHooks.id = (id) => {
  if (id in properties) return;
  const { get, set } = {
    get() { return globalThis.document.getElementById(id) ?? undefined; },
    set(value) { Object.defineProperty(globalThis, id, { value, writable: true, enumerable: true, configurable: true }); },
  };
  Object.defineProperty(properties, id, { get, set, configurable: true });
};

// ---- navigator, crypto -------------------------------------------------------------------------------------------------------------

function userAgent() {
  const { version } = native.facts;
  return isFirefox() ? `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0` :
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
}

let isNavigator;
class Navigator {
  #is = true;
  static { isNavigator = (value) => isObject(value) && #is in value; }
  static length = 0;
  constructor(key) { if (key !== kKey) throw illegalConstructor('Navigator'); }
  get userAgent() { return userAgent(); }
  get appVersion() { return isFirefox() ? '5.0 (X11)' : userAgent().slice('Mozilla/'.length); }
  get appName() { return 'Netscape'; }
  get product() { return 'Gecko'; }
  get platform() { return 'Linux x86_64'; }
  get vendor() { return isFirefox() ? '' : 'Google Inc.'; }
  get language() { return 'en-US'; }
  get languages() { return Object.freeze(['en-US']); }
  get onLine() { return true; }
  get cookieEnabled() { return true; }
  get hardwareConcurrency() { return 4; }
  get maxTouchPoints() { return 0; }
  get webdriver() { return false; }
  get scheduling() { return isFirefox() ? undefined : { isInputPending: () => false }; }
  sendBeacon(url) {
    needArgs('Navigator', 'sendBeacon', arguments, 1);
    fetching.ask(`${url}`, 'POST');
    return true;
  }
  javaEnabled() { return false; }
}
describe(Navigator, isNavigator);

let isCrypto;
const kIntegers = new Set([
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array',
  'BigUint64Array']);
class Crypto {
  #is = true;
  static { isCrypto = (value) => isObject(value) && #is in value; }
  static length = 0;
  constructor(key) { if (key !== kKey) throw illegalConstructor('Crypto'); }
  getRandomValues(array) {
    needArgs('Crypto', 'getRandomValues', arguments, 1);
    if (!ArrayBuffer.isView(array)) {
      throw typeError('Crypto', 'getRandomValues', "parameter 1 is not of type 'ArrayBufferView'.",
                      isObject(array) ? 'Argument 1 does not implement interface ArrayBufferView.' : 'Argument 1 is not an object.');
    }
    const kind = array[Symbol.toStringTag];
    if (!kIntegers.has(kind)) {
      const type = kind?.replace('Array', '') ?? 'DataView';
      throw plainError('TypeMismatchError', 'Crypto', 'getRandomValues',
                       `The provided ArrayBufferView is of type '${type}', which is not an integer array type.`,
                       'The type of an object is incompatible with the expected type of the parameter associated to the object');
    }
    if (array.byteLength > 65536) {
      throw domError('QuotaExceededError', 'Crypto', 'getRandomValues', `The ArrayBufferView's byte length (${array.byteLength}) exceeds ` +
        'the number of bytes of entropy available via this API (65536).', 'getRandomValues can only generate maximum 65536 bytes');
    }
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(native.random() * 256);
    return array;
  }
  randomUUID() {
    const digits = Array.from({ length: 32 }, () => Math.floor(native.random() * 16));
    digits[12] = 4;
    digits[16] = 8 | (digits[16] & 3);
    const hex = digits.map((digit) => digit.toString(16)).join('');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }
}
describe(Crypto, isCrypto);

// ---- storage -----------------------------------------------------------------------------------------------------------------------

const storages = new WeakMap();
class Storage {
  static length = 0;
  constructor(key) {
    if (key !== kKey) throw illegalConstructor('Storage');
    storages.set(this, new Map());
  }
  get length() { return storages.get(this).size; }
  key(index) { return [...storages.get(this).keys()][index >>> 0] ?? null; }
  getItem(key) {
    needArgs('Storage', 'getItem', arguments, 1);
    return storages.get(this).get(`${key}`) ?? null;
  }
  setItem(key, value) {
    needArgs('Storage', 'setItem', arguments, 2);
    storages.get(this).set(`${key}`, `${value}`);
  }
  removeItem(key) { storages.get(this).delete(`${key}`); }
  clear() { storages.get(this).clear(); }
}
describe(Storage, (value) => storages.has(value));

function makeStorage() {
  const storage = new Storage(kKey);
  const items = storages.get(storage);
  const proxy = new Proxy(storage, {
    get(target, key) { return typeof key === 'string' && !(key in target) ? items.get(key) : Reflect.get(target, key, proxy); },
    set(target, key, value) {
      items.set(String(key), `${value}`);
      return true;
    },
    has: (target, key) => items.has(key) || Reflect.has(target, key),
    deleteProperty: (target, key) => items.delete(key) || true,
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: (target, key) =>
      (items.has(key) ? { value: items.get(key), writable: true, enumerable: true, configurable: true } : undefined),
  });
  storages.set(proxy, items);
  return proxy;
}

// ---- functions -----------------------------------------------------------------------------------------------------------------------

const functions = {
  ...timers.functions,
  ...text.functions,
  fetch: fetching.fetch,
  postMessage: messages.postMessage,
  reportError(error) {
    needArgs('Window', 'reportError', arguments, 1);
    require('web/errors').reportException(error, true);
  },
  structuredClone(value) {
    needArgs('Window', 'structuredClone', arguments, 1);
    const items = readTransfer(arguments[1], 'Window', 'structuredClone');
    return cloneWith(value, items, 'Window', 'structuredClone').value;
  },
  alert() {},
  confirm() { return false; },
  prompt() { return null; },
  print() {},
  focus() {},
  blur() {},
  close() {},
  stop() {},
  open() { return null; },
  scroll() { elements.layout(); },
  scrollTo() { elements.layout(); },
  scrollBy() { elements.layout(); },
  getSelection() { return null; },
  matchMedia(query) { return { matches: false, media: `${query}`, onchange: null, addEventListener() {}, removeEventListener() {} }; },
  getComputedStyle(element) {
    needArgs('Window', 'getComputedStyle', arguments, 1);
    elements.layout();
    return makeStyle(() => dataOf(element).attributes.get('style') ?? null, () => {
      throw plainError('NoModificationAllowedError', 'CSSStyleDeclaration', 'setProperty', 'These styles are computed, and therefore ' +
        'the property is read-only.', 'Modifications are not allowed for this document');
    });
  },
};

// A member that is not enumerable: an interface.
const kInterfaces = {
  Window, Navigator, Crypto, Storage, ...eventClasses, EventTarget, DOMException, Document, HTMLDocument, Node, CharacterData, Text,
  Comment, DocumentFragment,
  ...elements.classes, DOMRect: elements.DOMRect, DOMRectReadOnly: elements.DOMRectReadOnly, Attr, DOMStringMap, DOMTokenList,
  HTMLCollection,
  NamedNodeMap, NodeList, CSSStyleDeclaration, MutationObserver, MutationRecord, ResizeObserver: observers.ResizeObserver,
  ResizeObserverEntry: observers.ResizeObserverEntry, ResizeObserverSize: observers.ResizeObserverSize,
  IntersectionObserver: observers.IntersectionObserver, IntersectionObserverEntry: observers.IntersectionObserverEntry,
  MessageChannel: messages.MessageChannel, MessagePort: messages.MessagePort, BroadcastChannel: messages.BroadcastChannel, AbortController,
  AbortSignal, Scheduler: scheduler.Scheduler, TaskController: scheduler.TaskController, TaskSignal: scheduler.TaskSignal,
  Headers: fetching.Headers, Request: fetching.Request, Response: fetching.Response, XMLHttpRequest: xhr.XMLHttpRequest,
  XMLHttpRequestEventTarget: xhr.XMLHttpRequestEventTarget, XMLHttpRequestUpload: xhr.XMLHttpRequestUpload, URL, URLSearchParams,
  TextEncoder: text.TextEncoder, TextDecoder: text.TextDecoder, Performance: performance.Performance,
  PerformanceEntry: performance.PerformanceEntry, PerformanceMark: performance.PerformanceMark,
  PerformanceMeasure: performance.PerformanceMeasure, Location: location.Location, History: location.History,
  IdleDeadline: timers.IdleDeadline,
};

// Where Node's library keeps what a browser does not show.
const kOfNode = ['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate'];

// ---- the global object ---------------------------------------------------------------------------------------------------------------

function define(name, descriptor) { Object.defineProperty(globalThis, name, { configurable: true, ...descriptor }); }

// An attribute of the window. set: may be 'replace', then what is assigned takes its place.
function attribute(name, get, set) {
  const made = {
    get: Object.defineProperty({ get() { return get(); } }.get, 'name', { value: `get ${name}` }),
  };
  if (set) {
    made.set = Object.defineProperty({ set(value) {
      if (set === 'replace') define(name, { value, writable: true, enumerable: true });
      else set(value);
    } }.set, 'name', { value: `set ${name}` });
  }
  return { ...made, enumerable: true };
}

function install(html, url) {
  // cpu(ms); the rest is for scripts that were made of steps (sim/scenario/javascript_helpers.cpp).
  const loopsim = { ...require('loopsim'), spin(ms) { native.spin(Math.round(ms * 1e6)); }, seed: native.facts.seed };
  for (const name of [...kOfNode, Symbol.toStringTag]) delete globalThis[name];
  Object.setPrototypeOf(globalThis, Window.prototype);
  location.begin(url);
  const [document, build] = makeDocument(html);
  for (const [name, value] of Object.entries(kInterfaces)) define(name, { value, writable: true, enumerable: false });
  if (isFirefox()) define('CSSStyleProperties', { value: CSSStyleDeclaration, writable: true, enumerable: false });
  for (const [name, value] of Object.entries(functions)) define(name, { value, writable: true, enumerable: true });
  define('loopsim', { value: loopsim, writable: true, enumerable: false });
  define('console', { value: console, writable: true, enumerable: false });

  const ownLocation = location.makeLocation();
  const objects = {
    history: location.makeHistory(), navigator: new Navigator(kKey), crypto: new Crypto(kKey), localStorage: makeStorage(),
    sessionStorage: makeStorage(),
  };
  for (const [name, value] of Object.entries(objects)) define(name, attribute(name, () => value));
  for (const [name, value] of Object.entries({ performance: performance.makePerformance(), scheduler: scheduler.makeScheduler() })) {
    define(name, attribute(name, () => value, 'replace'));
  }
  let windowName = '';
  define('name', attribute('name', () => windowName, (value) => { windowName = `${value}`; }));
  define('closed', attribute('closed', () => false));
  define('isSecureContext', attribute('isSecureContext', () => /^(?:https|file):|^http:\/\/localhost\b/.test(ownLocation.href)));
  define('event', attribute('event', () => currentEvent(), 'replace'));
  for (const name of ['self', 'frames', 'parent']) define(name, attribute(name, () => globalThis, 'replace'));
  const numbers = {
    length: 0, innerWidth: 800, innerHeight: 600, outerWidth: 800, outerHeight: 600, devicePixelRatio: 1, scrollX: 0, scrollY: 0,
    pageXOffset: 0,
    pageYOffset: 0, screenX: 0, screenY: 0,
  };
  for (const [name, value] of Object.entries(numbers)) {
    define(name, attribute(name, () => {
      if (name !== 'length' && name !== 'devicePixelRatio') elements.layout();
      return value;
    }, 'replace'));
  }
  define('origin', attribute('origin', () => ownLocation.origin, 'replace'));
  define('screen', attribute('screen', () => ({ width: 800, height: 600, availWidth: 800, availHeight: 600, colorDepth: 24 }), 'replace'));
  define('opener', attribute('opener', () => null, 'replace'));
  define('frameElement', attribute('frameElement', () => null));
  // These can neither be replaced nor deleted.
  define('window', { ...attribute('window', () => globalThis), configurable: false });
  define('top', { ...attribute('top', () => globalThis), configurable: false });
  define('document', { ...attribute('document', () => document), configurable: false });
  const place = attribute('location', () => ownLocation, (value) => { ownLocation.href = value; });
  define('location', { ...place, configurable: false });
  Object.defineProperty(document, 'location', { ...place, configurable: false });

  for (const type of new Set([...elements.kGlobal, ...elements.kOfWindow])) {
    defineHandler(globalThis, type, { isOne: () => true, targetOf: () => globalThis });
  }
  build();
}

module.exports = { install };
