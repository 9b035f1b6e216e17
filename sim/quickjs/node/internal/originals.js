// What the language had when the library was loaded, for the library alone (../../loading/originals.hpp): its functions, the methods,
// static methods and accessors of its objects, the well-known symbols, and its global variables. A program that replaces one changes
// nothing for the library.
//
// What the library asks of a program's values stays what the program makes of them: toString() and valueOf() of objects, their
// constructor, and what is nearer to them than the language's own, as a then() of theirs.
'use strict';

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

// What QuickJS asks for by itself.
const kProtocols = new Set([
  Symbol.iterator, Symbol.asyncIterator, Symbol.match, Symbol.matchAll, Symbol.replace, Symbol.search, Symbol.split,
  'next', 'throw', 'exec', 'flags', 'hasIndices', 'global', 'ignoreCase', 'multiline', 'dotAll', 'unicode', 'unicodeSets', 'sticky',
  'length', 'set', 'add', 'join',
]);
const kTexts = new Set(['toString', 'toLocaleString', 'valueOf', 'toJSON']);
// Node's and the browser's, which a program may replace for Node's own code, too.
const kOfHost = new Set(['atob', 'btoa', 'performance', 'queueMicrotask', 'DOMException']);
const kNever = new Set(['constructor', 'prototype', 'arguments', 'caller', 'stack', '__proto__']);

const members = [];  // { target, key, value, get, symbol }
const known = new Set();

function isOriginal(target, key, { value, get }) {
  if (typeof key === 'symbol' ? !kProtocols.has(key) : kNever.has(key)) return false;
  if (target === Symbol && typeof value === 'symbol') return true;
  if (kTexts.has(key) && ![Number, String, Boolean, Symbol, BigInt, Function].some((one) => one.prototype === target)) return false;
  return typeof value === 'function' || get !== undefined;
}

function addMembers(target) {
  if (target === null || known.has(target) || (typeof target !== 'object' && typeof target !== 'function')) return;
  known.add(target);
  for (const key of ownKeys(target)) {
    const found = getOwnPropertyDescriptor(target, key);
    if (isOriginal(target, key, found)) members.push({ target, key, value: found.value, get: found.get, symbol: undefined });
  }
}

// Prototypes that no name leads to.
function* withoutName() {
  const generators = [function* () {}, async function* () {}, async function () {}];
  for (const one of generators) {
    yield getPrototypeOf(one);
    yield getPrototypeOf(one).prototype;
  }
  const iterators = [[].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g),
                     [].values().map((x) => x), Iterator.from({ next() {} }), (async function* () {}).prototype];
  for (const one of iterators) {
    for (let at = one; at !== null && at !== Object.prototype; at = getPrototypeOf(at)) yield at;
  }
  yield getPrototypeOf(Uint8Array);
  yield getPrototypeOf(Uint8Array).prototype;
}

// `globals`: the names of the language's global variables.
function collect(globals) {
  for (const name of globals) {
    const found = getOwnPropertyDescriptor(globalThis, name);
    if (kOfHost.has(name) || found?.value === undefined || !found.configurable) continue;
    const { value } = found;
    members.push({ target: globalThis, key: name, value, get: undefined, symbol: undefined });
    if (value === globalThis) continue;
    addMembers(value);
    if (typeof value === 'function' && !(value.prototype instanceof Error) && value !== Error) addMembers(value.prototype ?? null);
  }
  for (const one of withoutName()) addMembers(one);
  const keys = new Set(members.map(({ key }) => key));
  const first = [...keys].filter((key) => kProtocols.has(key));
  return { keys: [...first, ...[...keys].filter((key) => !kProtocols.has(key))], protocols: first.length };
}

function define({ target, value, get, symbol }) {
  defineProperty(target, symbol, get === undefined ? { __proto__: null, value, writable: true, configurable: true }
    : { __proto__: null, get, configurable: true });
}

// `symbols`: of the keys, private ones.
function keep(keys, symbols) {
  const symbolOf = new Map(keys.map((key, i) => [key, symbols[i]]));
  for (const member of members) {
    member.symbol = symbolOf.get(member.key);
    define(member);
  }
}

// A version's own functions have taken their places since.
function refresh() {
  for (const member of members) {
    const found = getOwnPropertyDescriptor(member.target, member.key);
    if (found === undefined || (found.value === member.value && found.get === member.get)) continue;
    member.value = found.value;
    member.get = found.get;
    define(member);
  }
}

// The well-known symbols can be deleted until a version has taken away those that it has not (unlock_symbols() of
// ../../loading/originals.cpp).
function lockSymbols() {
  for (const name of ownKeys(Symbol)) {
    const found = getOwnPropertyDescriptor(Symbol, name);
    if (typeof found.value === 'symbol' || name === 'prototype') defineProperty(Symbol, name, { __proto__: null, configurable: false });
  }
}

module.exports = { collect, keep, lockSymbols, refresh };
