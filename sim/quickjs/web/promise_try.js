// Promise.try() as Chrome has it: what the function returns is made a promise as Promise.resolve() does it, so that a promise is given back
// as it is. In ECMAScript 2025, in Firefox and in QuickJS the promise of Promise.try() is one of its own, which follows the other.
'use strict';

const { nameBuiltin } = require('internal/stack');
const { isObject } = require('web/words');

const { apply } = Reflect;
const { resolve, reject, try: inTheStandard } = Promise;

const holder = {
  try(callback, ...values) {
    if (!isObject(this)) return apply(inTheStandard, this, [callback, ...values]);  // throws
    let result;
    try {
      result = apply(callback, undefined, values);
    } catch (error) {
      return apply(reject, this, [error]);
    }
    return apply(resolve, this, [result]);
  },
};

function install() {
  nameBuiltin(holder.try, 'Function.try');
  Object.defineProperty(Promise, 'try', { value: holder.try, writable: true, enumerable: false, configurable: true });
}

module.exports = { install };
