// Array.prototype.join() and toLocaleString(), which leave out an array that is being joined already (V8's JoinStack,
// src/builtins/array-join.tq): QuickJS would go on until its stack is full.
'use strict';

const { nameBuiltin } = require('internal/stack');
const { atLeast } = require('internal/version');

const { apply } = Reflect;
const { defineProperty } = Object;
const { isArray, prototype } = Array;
const { includes, join: joinNative, map, push, some, toLocaleString: localeNative, toString: textNative } = prototype;
const symbolToString = Symbol.prototype.toString;
const pop = prototype.pop;

const joining = [];  // from the outside

function once(array, fn, values) {
  if (typeof array !== 'object' || array === null) return apply(fn, array, values);
  if (apply(includes, joining, [array])) return '';
  apply(push, joining, [array]);
  try {
    return apply(fn, array, values);
  } finally {
    apply(pop, joining, []);
  }
}

const methods = {
  join(separator) {
    if ((this === null || this === undefined) && !atLeast(10)) {
      throw new TypeError('Array.prototype.join called on null or undefined');
    }
    return once(this, joinNative, [separator]);
  },
  toLocaleString(...options) { return once(this, localeNative, options); },
  // Of Node 4: symbols are told, not refused.
  toString() {
    const isSymbol = (one) => typeof one === 'symbol';
    if (!isArray(this) || this.join !== methods.join || !apply(some, this, [isSymbol])) return apply(textNative, this, []);
    return apply(methods.join, apply(map, this, [(one) => (isSymbol(one) ? apply(symbolToString, one, []) : one)]), [',']);
  },
};

function replace(name, length) {
  defineProperty(methods[name], 'length', { value: length });
  defineProperty(prototype, name, { value: methods[name], writable: true, enumerable: false, configurable: true });
  nameBuiltin(methods[name], `Array.${name}`);
}

// Before the process's version is known, and once it is.
function install() {
  replace('join', 1);
  replace('toLocaleString', 0);
}
function adapt() {
  if (!atLeast(6)) replace('toString', 0);
}

module.exports = { adapt, install };
