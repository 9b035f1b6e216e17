// RegExp.$1 and its kind, which tell of the last match (v8/src/builtins/builtins-regexp-gen.cc, builtins-regexp.cc). The engine notes with
// what it was found; that is looked for again when somebody asks. What the library matches is no part of it.
'use strict';

const native = internalBinding;

const TheRegExp = RegExp;
const { defineProperty, getOwnPropertyDescriptor } = Object;
const { apply } = Reflect;
const { exec } = TheRegExp.prototype;
const partOf = (name) => getOwnPropertyDescriptor(TheRegExp.prototype, name).get;
const source = partOf('source');
const kFlags = [['i', partOf('ignoreCase')], ['m', partOf('multiline')], ['s', partOf('dotAll')], ['u', partOf('unicode')],
  ['v', partOf('unicodeSets')], ['y', partOf('sticky')]];
const at = (major) => native.facts.major >= major;

let count = 0;  // of the matches that are known here
let match;  // the last one; undefined: there was none
let given;  // RegExp.input, where the program has set it since

function look() {
  const last = native.lastMatch(count);
  if (last === undefined) return match;
  const [number, expression, text, begin] = last;
  count = number;
  given = undefined;
  let flags = 'g';  // so that it begins there
  for (const [flag, isThere] of kFlags) if (apply(isThere, expression, [])) flags += flag;
  const again = new TheRegExp(apply(source, expression, []), flags);
  again.lastIndex = begin;
  match = apply(exec, again, [text]) ?? undefined;
  return match;
}

const kParts = {
  input() { const found = look(); return given ?? found?.input ?? ''; },
  lastMatch() { return look()?.[0] ?? ''; },
  lastParen() { const found = look(); return found === undefined || found.length < 2 ? '' : found[found.length - 1] ?? ''; },
  leftContext() { const found = look(); return found === undefined ? '' : found.input.slice(0, found.index); },
  rightContext() { const found = look(); return found === undefined ? '' : found.input.slice(found.index + found[0].length); },
};
const kShort = { input: '$_', lastMatch: '$&', lastParen: '$+', leftContext: '$`', rightContext: "$'" };

function setInput(value) {
  const text = `${value}`;
  look();
  given = text;
}

// Node 4: V8's own functions in JavaScript, whose names say what they were made of.
function oldName(name, isGetter) {
  if (!isGetter || name === 'input') return '';
  return name.startsWith('$') ? 'foo' : `RegExpGet${name[0].toUpperCase()}${name.slice(1)}`;
}

function define(name, key, get, set, nameBuiltin) {
  const isOld = !at(8);
  // Node 6: one function for both names of a part, and one for all that nobody can set.
  const named = isOld ? kShort[name] ?? '$9' : key;
  const it = { get [named]() { return get(); }, set [named](value) { set(value); } };
  const own = getOwnPropertyDescriptor(it, named);
  if (isOld) {
    const setter = at(6) ? `set ${name === 'input' ? '$_' : '$9'}` : oldName(name, false);
    defineProperty(own.set, 'name', { __proto__: null, value: setter, configurable: true });
  }
  if (!at(6)) defineProperty(own.get, 'name', { __proto__: null, value: oldName(name, true), configurable: true });
  nameBuiltin(own.get, `get ${named}`);
  nameBuiltin(own.set, `set ${named}`);
  return own;
}

function install(nameBuiltin) {
  const escape = getOwnPropertyDescriptor(TheRegExp, 'escape');
  delete TheRegExp.escape;  // it stands behind them
  const nothing = () => {};
  for (const name of Object.keys(kParts)) {
    const set = name === 'input' ? setInput : nothing;
    let shared;
    for (const key of [name, kShort[name]]) {
      const own = at(8) || shared === undefined ? define(name, key, kParts[name], set, nameBuiltin) : shared;
      shared = own;
      const enumerable = !at(6) && key === name;
      defineProperty(TheRegExp, key, { __proto__: null, get: own.get, set: own.set, enumerable, configurable: at(6) });
    }
  }
  for (let i = 1; i <= 9; i++) {
    const own = define(`$${i}`, `$${i}`, () => look()?.[i] ?? '', nothing, nameBuiltin);
    defineProperty(TheRegExp, `$${i}`, { __proto__: null, get: own.get, set: own.set, enumerable: !at(6), configurable: at(6) });
  }
  if (escape !== undefined) defineProperty(TheRegExp, 'escape', escape);
}

module.exports = { install };
