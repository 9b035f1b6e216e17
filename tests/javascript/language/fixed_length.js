// Arrays whose length cannot be changed, and frozen ones.
'use strict';
function t(n, f) { try { console.log(n, f()); } catch (e) { console.log(n, e.name + ': ' + e.message); } }
var r = [];
Object.defineProperty(r, 'length', { writable: false });
t('push', function () { return r.push(1); });
t('set', function () { r[0] = 1; });
t('unshift', function () { return r.unshift(1); });
var a = Object.freeze([3, 1, 2]);
t('sort', function () { return a.sort(); });
t('reverse', function () { return a.reverse(); });
t('element', function () { a[0] = 9; });
t('new element', function () { a[7] = 9; });
t('length', function () { a.length = 0; });
var o = Object.freeze({ a: 1 });
t('member', function () { o.a = 2; });
t('assign', function () { return Object.assign(o, { a: 2 }); });
t('name', function () { (function foo() {}).name = 'x'; });
