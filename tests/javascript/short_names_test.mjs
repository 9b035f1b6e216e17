// tools/quickjs/shorten_names.mjs: scripts do the same with shorter names, and what a program sees of them stays.
//
//   node --test short_names_test.mjs      short_names.py sets LOOPSIM_ACORN, the package
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { shortenNames } from '../../tools/quickjs/shorten_names.mjs';

const acorn = createRequire(import.meta.url)(process.env.LOOPSIM_ACORN);
const short = (source, isBody = true) =>
  shortenNames(source, acorn.parse(source, { ecmaVersion: 'latest', allowReturnOutsideFunction: true }), isBody);

test('variables and parameters get short names, functions and classes keep theirs', () => {
  assert.equal(short('function add(first, second) { const sum = first + second; return sum; }'),
    'function add(e, t) { const n = e + t; return n; }');
  assert.equal(short('const Point = class Named {}; let value = 1; class Own extends Point { get() { return value; } }'),
    'const e = class Named {}; let t = 1; class Own extends e { get() { return t; } }');
});

test('the outermost variables of a script that is no body of a function are global', () => {
  assert.equal(short('var names = []; const list = names; function add(one) { names.push(one); }', false),
    'var names = []; const list = names; function add(e) { names.push(e); }');
});

test('a variable that gives its name to a function keeps it', () => {
  for (const source of [
    'const later = () => 1;',
    'let later; later = function () {};',
    'let later; later ??= class {};',
    'function take({ later = () => 1 }, [also = class {}]) {}',
    'var later = (function () {});',
  ])
    assert.equal(short(source), source);
  assert.equal(short('const later = function named() {};'), 'const e = function named() {};');
});

test('members keep their names, also where one word is both', () => {
  assert.equal(short('const value = 1; out({ value, other: value, [value]: 2 }.value);'), 'const e = 1; out({ value:e, other: e, [e]: 2 }.value);');
  assert.equal(short('const { value, other = value, ...rest } = all; out(value, other, rest);'),
    'const { value:e, other:t = e, ...n } = all; out(e, t, n);');
});

test('what eval or with may ask for keeps its name, and so do names of labels', () => {
  for (const source of ['function f(value) { return eval("value"); }', 'function f(object) { with (object) return 1; }'])
    assert.equal(short(source), source);
  assert.equal(short('loop: for (const loop of list) { if (loop) continue loop; break loop; }'), 'loop: for (const e of list) { if (e) continue loop; break loop; }');
});

// Each returns something that would differ if a name were mixed up with another.
const kScripts = [
  'let value = 1; { let value = 2; { var other = value; } } return [value, other];',
  'function f(e, t = () => e, { n } = { n: t() }) { var e = 5; return [e, t(), n]; } return f(3);',
  'try { throw 1; } catch (error) { var error = 2; } return error;',
  'try { throw { code: 7 }; } catch ({ code, message = code }) { return [code, message]; }',
  'const e = 1, t = 2; return (function (first) { const second = first; return [e, t, first, second]; })(3);',
  'const all = []; for (let i = 0; i < 3; ++i) all.push(() => i); return all.map((one) => one());',
  'function outer() { return inner(); function inner() { return typeof inner; } } return [outer.name, outer()];',
  'class A { #own = 1; static made = 0; constructor(own) { this.#own = own; A.made++; } get() { return this.#own; } } return [new A(4).get(), A.made];',
  'const f = () => 1, g = class {}; let h; h = function () {}; return [f.name, g.name, h.name];',
  'const { a: { b: [c = 3] }, ...d } = { a: { b: [] }, e: 5 }; return [c, d];',
  'switch (1) { case 1: { const one = 1; return ((two) => one + two)(2); } }',
  'let one = 1; const tag = (strings, ...values) => values; return tag`${one}${`${one + 1}`}`;',
  'return (function named(n) { return n ? n * named(n - 1) : 1; })(5);',
  'var twice = 1; var twice = 2; return ((twice) => twice)(3) + twice;',
  'return [typeof undefinedName, (function () { return arguments.length; })(1, 2)];',
  'const o = { get x() { return y; }, set x(value) { y = value; } }; let y = 1; o.x = 5; return o.x;',
  'function* list(from) { for (let at = from; ; ++at) yield at; } const it = list(2); return [it.next().value, it.next().value];',
  '{ function inBlock() { return 1; } } return inBlock();',
  'let n = 0; do { const step = 2; n += step; } while (n < 5); return n;',
  'class B { static { let hidden = 3; this.value = hidden; } field = (() => typeof hidden)(); } return [B.value, new B().field];',
];
test('scripts do the same', () => {
  const wrong = [];
  for (const source of kScripts) {
    const shorter = short(source);
    const [was, is] = [source, shorter].map((text) => JSON.stringify(new Function(text)()));
    if (was !== is || shorter.length > source.length + 20) wrong.push(`${source}\n${shorter}\n${was} ${is}`);
  }
  assert.deepEqual(wrong, []);
});

test('many variables get different names', () => {
  const names = Array.from({ length: 5000 }, (_, i) => `variable${i}`);
  const source = `let ${names.map((name, i) => `${name}=${i}`).join()}; return [${names.join()}];`;
  assert.deepEqual(new Function(short(source))(), names.map((_, i) => i));
});
