// src/node_util.cc, and the private symbols of an environment (src/env_properties.h), which nothing lists.
'use strict';

const native = internalBinding;
const { atLeast } = require('internal/version');

const { apply, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { propertyIsEnumerable } = Object.prototype;

const kPrivate = [
  'arrow_message_private_symbol', 'contextify_context_private_symbol', 'decorated_private_symbol', 'transfer_mode_private_symbol',
  'host_defined_option_symbol', 'js_transferable_wrapper_private_symbol', 'entry_point_module_private_symbol',
  'entry_point_promise_private_symbol', 'module_source_private_symbol', 'module_export_names_private_symbol',
  'module_circular_visited_private_symbol', 'module_export_private_symbol', 'module_parent_private_symbol',
  'module_first_parent_private_symbol', 'napi_type_tag', 'napi_wrap', 'untransferable_object_private_symbol',
  'exit_info_private_symbol', 'source_map_data_private_symbol', 'messaging_deserialize_private_symbol',
];
const kConstants = {
  kPending: 0, kFulfilled: 1, kRejected: 2, kExiting: 0, kExitCode: 1, kHasExitCode: 2,
  ALL_PROPERTIES: 0, ONLY_WRITABLE: 1, ONLY_ENUMERABLE: 2, ONLY_CONFIGURABLE: 4, SKIP_STRINGS: 8, SKIP_SYMBOLS: 16,
  kDisallowCloneAndTransfer: 0, kTransferable: 1, kCloneable: 2,
};

// What V8 takes for the index of an element.
function isIndex(key) {
  if (typeof key !== 'string' || !/^(?:0|[1-9]\d{0,9})$/.test(key)) return false;
  return Number(key) < 2 ** 32 - 1;
}

function getOwnNonIndexProperties(object, filter) {
  const isWanted = (key) => filter !== kConstants.ONLY_ENUMERABLE || apply(propertyIsEnumerable, object, [key]);
  return ownKeys(object).filter((key) => !isIndex(key) && isWanted(key));
}

function getConstructorName(object) {
  for (let at = object; at !== null; at = getPrototypeOf(at)) {
    const made = getOwnPropertyDescriptor(at, 'constructor');
    if (made !== undefined && typeof made.value === 'function' && made.value.name !== '') return made.value.name;
  }
  return '';
}

// Lazy members of a file of the library: its value is put in place of the accessor when it is first read.
function defineLazyProperties(target, id, keys, enumerable = true) {
  for (const key of keys) {
    const put = (object, value) => {
      Object.defineProperty(object, key, { __proto__: null, value, writable: true, configurable: true, enumerable });
    };
    Object.defineProperty(target, key, {
      __proto__: null, configurable: true, enumerable,
      get() {
        const value = require('internal/builtins').requireBuiltin(id)[key];
        put(this, value);
        return value;
      },
      set(value) { put(this, value); },
    });
  }
}

class WeakReference {
  #weak;
  #strong;
  #references = 0;
  constructor(object) { this.#weak = new WeakRef(object); }
  get() { return this.#weak.deref(); }
  incRef() {
    this.#strong = this.#weak.deref();
    return ++this.#references;
  }
  decRef() {
    if (--this.#references === 0) this.#strong = undefined;
    return this.#references;
  }
}

function makeUtil() {
  const privateSymbols = { __proto__: null };
  for (const name of kPrivate) privateSymbols[name] = native.privateSymbol(name);
  const binding = {
    constants: kConstants,
    getOwnNonIndexProperties,
    getConstructorName,
    getPromiseDetails: (promise) => native.promiseDetails(promise),
    getProxyDetails(value, isWhole = true) {
      const details = native.proxyDetails(value);
      return details === undefined || isWhole ? details : details[0];
    },
    previewEntries: (object, isIterator) => native.iteratorMembers(object, isIterator),
    getExternalValue: () => 0n,
    getCallerLocation: () => undefined,
    sleep() {},
    isInsideNodeModules: () => false,
    guessHandleType: (fd) => (fd >= 0 && fd <= 2 ? 'FILE' : 'INVALID'),
    toUSVString: (text) => String(text).toWellFormed(),
    isArrayBufferDetached: (buffer) => buffer.detached,
    arrayBufferViewHasBuffer: () => true,
    constructSharedArrayBuffer: (size) => new SharedArrayBuffer(size),
    isConstructor(value) {
      try {
        Reflect.construct(Object, [], value);
        return true;
      } catch {
        return false;
      }
    },
    getSystemErrorName: (errno) => require('internal/bindings/index').bindingOf('uv').errname(errno),
    getSystemErrorMessage: (errno) => require('internal/bindings/index').bindingOf('uv').getErrorMessage(errno),
    defineLazyProperties,
    privateSymbols,
    shouldAbortOnUncaughtToggle: new Uint32Array(1),
    WeakReference,
  };
  if (!atLeast(20)) {
    // By numbers, up to Node 16 or so; the symbols themselves serve as these.
    Object.assign(binding, kConstants, privateSymbols, {
      propertyFilter: { ALL_PROPERTIES: 0, ONLY_ENUMERABLE: 2 },
      setHiddenValue(object, key, value) {
        object[key] = value;
        return true;
      },
      getHiddenValue: (object, key) => object[key],
    });
  }
  return binding;
}

module.exports = { defineLazyProperties, makeUtil };
