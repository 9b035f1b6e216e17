// Array.prototype.sort() of Node 11, whose V8 7.0 sorted in the array itself, and wrote nothing where that was in order: a frozen array
// that is sorted can be sorted (third_party/v8/builtins/array-sort.tq, CountAndMakeRun and BinaryInsertionSort).
'use strict';

const native = internalBinding;
const { nameBuiltin } = require('internal/stack');
const { has } = require('internal/version');

const { prototype: arrays, isArray } = Array;
const { defineProperty, isFrozen } = Object;
const { apply } = Reflect;
const { sort: original } = arrays;

function byText(a, b) {
  const x = `${a}`;
  const y = `${b}`;
  return x < y ? -1 : x > y ? 1 : 0;
}

// Which element is written first; undefined: none is.
function firstWritten(list, compare) {
  const { length } = list;
  const order = (i) => {
    const result = +(compare === undefined ? byText(list[i], list[i - 1]) : apply(compare, undefined, [list[i], list[i - 1]]));
    return result < 0;
  };
  if (order(1)) return 0;
  for (let i = 2; i < length; i++) if (order(i)) return i;
  return undefined;
}

function install() {
  if (!has('11') || has('12')) return;
  const { sort } = {
    sort(comparefn) {
      const isComparable = comparefn === undefined || typeof comparefn === 'function';
      const isList = isComparable && native.proxyDetails(this) === undefined && isArray(this);
      if (!isList || this.length < 2 || !isFrozen(this)) return apply(original, this, [comparefn]);
      for (let i = 0; i < this.length; i++) if (this[i] === undefined) return apply(original, this, [comparefn]);
      const first = firstWritten(this, comparefn);
      if (first !== undefined) throw new TypeError(`Cannot assign to read only property '${first}' of object '[object Array]'`);
      return this;
    },
  };
  nameBuiltin(sort, 'Array.sort');
  defineProperty(arrays, 'sort', { __proto__: null, value: sort, writable: true, enumerable: false, configurable: true });
}

module.exports = { install };
