// stdout only
// What a proxy's trap may not return, in V8's words, which tell what it was.
'use strict';
function t(n, f) { try { var r = f(); console.log(n, typeof r === 'object' ? JSON.stringify(r) : r); } catch (e) { console.log(n, e.name + ': ' + e.message); } }
var sym = Symbol('s');
function mk(target, h) { return new Proxy(target, h); }
var fr = Object.freeze({ a: 1, b: 'x', c: null, d: undefined, e: function foo() {}, f: [1, 2], g: { x: 1 }, [sym]: 5, 7: 'seven' });
var acc = Object.defineProperty({}, 'p', { set: function (v) {} });
var names = ['a', 'e', 'f', 'g', '7'];
var vals = [2, 'y', null, undefined, {}, [], [1, 2], function bar() {}, Symbol('q'), NaN, -0, true, class Foo {}, new (class Baz {})(), new Error('boo'), /re/g, new Date(0), new Map()];
names.forEach(function (n) {
  vals.forEach(function (v, i) { var p = mk(fr, { get: function () { return v; } }); t('get ' + n + ' ' + i, function () { return p[n]; }); });
});
var p1 = mk(fr, { get: function () { return 9; } });
t('get dot', function () { return p1.a; });
t('get sym', function () { return p1[sym]; });
t('get index', function () { return p1[7]; });
t('get call', function () { return p1.e(); });
t('get reflect', function () { return Reflect.get(p1, 'a'); });
t('get heir', function () { return Object.create(p1).a; });
t('get destructuring', function () { var a = p1.a; var { b } = p1; return b; });
t('get assign', function () { return Object.assign({}, p1); });
t('get json', function () { return JSON.stringify(mk(fr, { get: function (t, k) { return k === 'toJSON' ? undefined : 9; } })); });
t('get optional', function () { var o = { p: p1 }; return o.p.a + 1; });
t('get template', function () { return 'x' + p1.a; });
var p2 = mk(acc, { get: function () { return 9; } });
t('get accessor', function () { return p2.p; });
t('get accessor obj', function () { return mk(acc, { get: function () { return { a: 1 }; } }).p; });
t('get accessor ok', function () { return mk(acc, { get: function () { } }).p; });
t('nested', function () { return mk(p1, {}).a; });
// has
var sealed = Object.seal({ a: 1, [sym]: 2, 3: 4 }); var nonext = Object.preventExtensions({ a: 1 });
var h = { has: function () { return false; } };
var k = 'a';
t('has lit', function () { return 'a' in mk(sealed, h); });
t('has var', function () { return k in mk(sealed, h); });
t('has sym', function () { return sym in mk(sealed, h); });
t('has reflect', function () { return Reflect.has(mk(sealed, h), 'a'); });
t('has nonext', function () { return 'a' in mk(nonext, h); });
t('has nonext var', function () { return (k + '') in mk(nonext, h); });
t('has heir', function () { return 'a' in Object.create(mk(sealed, h)); });
// gopd
function g(target, f) { return mk(target, { getOwnPropertyDescriptor: f }); }
function und() {}
t('gopd und', function () { return Object.getOwnPropertyDescriptor(g(sealed, und), 'a'); });
t('gopd und sym', function () { return Object.getOwnPropertyDescriptor(g(sealed, und), sym); });
t('gopd und nonext', function () { return Object.getOwnPropertyDescriptor(g(nonext, und), 'a'); });
t('gopd hasown', function () { return Object.prototype.hasOwnProperty.call(g(sealed, und), 'a'); });
t('gopd hasown var', function () { return Object.prototype.hasOwnProperty.call(g(sealed, und), k); });
t('gopd hasown m', function () { return g(sealed, und).hasOwnProperty(k); });
t('gopd reflect', function () { return Reflect.getOwnPropertyDescriptor(g(nonext, und), k); });
t('gopd enum', function () { return Object.prototype.propertyIsEnumerable.call(g(sealed, und), k); });
t('gopd nonconf', function () { return Object.getOwnPropertyDescriptor(g({}, function () { return { value: 1 }; }), 'zz'); });
t('gopd nonconf2', function () { return Object.getOwnPropertyDescriptor(g({ a: 1 }, function () { return { value: 1 }; }), 'a'); });
t('gopd incompat', function () { return Object.getOwnPropertyDescriptor(g(sealed, function () { return { get: und }; }), 'a'); });
t('gopd incompat ne', function () { return Object.getOwnPropertyDescriptor(g(nonext, function () { return { value: 1, configurable: true }; }), 'b'); });
t('gopd prim', function () { return Object.getOwnPropertyDescriptor(g(nonext, function () { return 1; }), 'b'); });
t('gopd null', function () { return Object.getOwnPropertyDescriptor(g(nonext, function () { return null; }), 'b'); });
t('gopd str', function () { return g(nonext, function () { return 'x'; }).hasOwnProperty('q'); });
t('gopd assign', function () { return Object.assign({}, g({ a: 1, b: 2 }, function () { return { value: 1, enumerable: true }; })); });
t('gopd descs', function () { return Object.getOwnPropertyDescriptors(g({ a: 1, b: 2 }, function () { return { value: 1, enumerable: true }; })); });
t('gopd nonwritable', function () { return Object.getOwnPropertyDescriptor(g(Object.seal({ a: 1 }), function () { return { value: 1, writable: false, configurable: false }; }), 'a'); });
t('gopd both', function () { return Object.getOwnPropertyDescriptor(g({ a: 1 }, function () { return { get: und, value: 1 }; }), 'a'); });
// ownKeys
function o(target, r) { return mk(target, { ownKeys: function () { return r; } }); }
[['num', 1], ['und', undefined], ['numkeys', [1]], ['objkeys', [{}]], ['nullkeys', [null]], ['undkeys', [undefined]], ['bool', [true]], ['extra', ['a', 'zz']], ['none', []], ['like', { length: 1, 0: 'a' }]].forEach(function (r) {
  t('ownKeys keys ' + r[0], function () { return Object.keys(o(nonext, r[1])); });
  t('ownKeys reflect ' + r[0], function () { return Reflect.ownKeys(o(sealed, r[1])).length; });
  t('ownKeys names ' + r[0], function () { return Object.getOwnPropertyNames(o(sealed, r[1])); });
  t('ownKeys forin ' + r[0], function () { for (var q in o(nonext, r[1])); });
});
// delete, set, define
t('del nonconf', function () { delete mk(sealed, { deleteProperty: function () { return true; } }).a; });
t('del falsish', function () { delete mk(sealed, h2).a; });
t('del sym', function () { delete mk(sealed, { deleteProperty: function () { return true; } })[sym]; });
t('del reflect', function () { return Reflect.deleteProperty(mk(sealed, { deleteProperty: function () { return true; } }), k); });
var h2 = { deleteProperty: function () { return false; }, set: function () { return false; }, defineProperty: function () { return false; } };
t('del falsish', function () { delete mk(sealed, h2)[k]; });
t('set falsish', function () { mk(sealed, h2)[k] = 1; });
t('set falsish sym', function () { mk(sealed, h2)[sym] = 1; });
t('set truish', function () { mk(fr, { set: function () { return true; } })[k] = 6; });
t('set truish same', function () { mk(fr, { set: function () { return true; } })[k] = 1; });
t('set truish acc', function () { mk(Object.defineProperty({}, 'z', { get: und }), { set: function () { return true; } }).z = 6; });
t('set reflect', function () { return Reflect.set(mk(fr, { set: function () { return true; } }), k, 6); });
t('set heir', function () { Object.create(mk(fr, { set: function () { return true; } })).a = 6; });
t('set heir f', function () { Object.create(mk(fr, h2)).a = 6; });
t('def falsish', function () { Object.defineProperty(mk({}, h2), 'q', { value: 1 }); });
t('defs falsish', function () { Object.defineProperties(mk({}, h2), { q: { value: 1 } }); });
t('def truish nonconf', function () { Object.defineProperty(mk({}, { defineProperty: function () { return true; } }), 'q', { value: 1 }); });
t('def truish nonext', function () { Object.defineProperty(mk(nonext, { defineProperty: function () { return true; } }), 'q', { value: 1, configurable: true }); });
t('def truish incompat', function () { Object.defineProperty(mk(sealed, { defineProperty: function () { return true; } }), 'a', { get: und }); });
t('def reflect', function () { return Reflect.defineProperty(mk({}, { defineProperty: function () { return true; } }), 'q', { value: 1 }); });
t('freeze', function () { Object.freeze(mk({ a: 1 }, h2)); });
t('freeze pe', function () { Object.freeze(mk({ a: 1 }, { preventExtensions: function () { return true; } })); });
t('seal pe', function () { Object.seal(mk({ a: 1 }, { preventExtensions: function () { return false; } })); });
// proto
t('gp num', function () { return Object.getPrototypeOf(mk({}, { getPrototypeOf: function () { return 1; } })); });
t('gp nonext', function () { return Object.getPrototypeOf(mk(nonext, { getPrototypeOf: function () { return {}; } })); });
t('gp reflect', function () { return Reflect.getPrototypeOf(mk(nonext, { getPrototypeOf: function () { return {}; } })); });
t('gp dunder', function () { return mk(nonext, { getPrototypeOf: function () { return {}; } }).__proto__; });
t('gp instanceof', function () { return mk(nonext, { getPrototypeOf: function () { return {}; } }) instanceof Object; });
t('sp nonext', function () { Object.setPrototypeOf(mk(nonext, { setPrototypeOf: function () { return true; } }), {}); });
t('sp falsish', function () { Object.setPrototypeOf(mk({}, { setPrototypeOf: function () { return false; } }), {}); });
t('sp dunder', function () { mk({}, { setPrototypeOf: function () { return false; } }).__proto__ = {}; });
t('sp reflect', function () { return Reflect.setPrototypeOf(mk(nonext, { setPrototypeOf: function () { return true; } }), {}); });
t('ie', function () { return Object.isExtensible(mk(nonext, { isExtensible: function () { return true; } })); });
t('ie2', function () { return Reflect.isExtensible(mk({}, { isExtensible: function () { return false; } })); });
t('isfrozen', function () { return Object.isFrozen(mk({}, { isExtensible: function () { return false; } })); });
t('pe', function () { return Object.preventExtensions(mk({}, { preventExtensions: function () { return true; } })); });
t('pe refl', function () { return Reflect.preventExtensions(mk({}, { preventExtensions: function () { return true; } })); });
// call, construct
t('construct prim', function () { return new (mk(function () {}, { construct: function () { return 1; } }))(); });
t('construct und', function () { return new (mk(function () {}, { construct: function () { } }))(); });
t('construct refl', function () { return Reflect.construct(mk(function () {}, { construct: function () { return 'x'; } }), []); });
t('construct class', function () { var P = mk(class A {}, { construct: function () { return null; } }); class B extends P {} return new B(); });
t('call no', function () { return mk({}, {})(); });
var pn = mk({}, {}); t('call no2', function () { return pn(); });
t('call class', function () { return mk(class A {}, {})(); });
['deleteProperty', 'defineProperty', 'getOwnPropertyDescriptor', 'ownKeys', 'getPrototypeOf', 'setPrototypeOf', 'isExtensible', 'preventExtensions'].forEach(function (trap) {
  [1, 'x', {}, true, Symbol('w')].forEach(function (v, i) {
    var hh = {}; hh[trap] = v; var q = mk(function () {}, hh);
    t('trap ' + trap + ' ' + i, function () {
      switch (trap) {
        case 'deleteProperty': return delete q.x;
        case 'defineProperty': return Object.defineProperty(q, 'x', { value: 1 }); case 'getOwnPropertyDescriptor': return Object.getOwnPropertyDescriptor(q, 'x');
        case 'ownKeys': return Object.keys(q); case 'getPrototypeOf': return Object.getPrototypeOf(q); case 'setPrototypeOf': return Object.setPrototypeOf(q, null);
        case 'isExtensible': return Object.isExtensible(q); case 'preventExtensions': return Object.preventExtensions(q);
      }
    });
  });
});
