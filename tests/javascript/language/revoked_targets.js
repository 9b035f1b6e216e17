// stdout only
// A revoked proxy as the target of another one, and in loops; what stands for Proxy up to Node 12.
'use strict';
function t(n, f) { try { var r = f(); console.log(n, typeof r); } catch (e) { console.log(n, e.name + ': ' + e.message); } }
var r = Proxy.revocable({}, {}); r.revoke(); var p = r.proxy;
t('target', function () { return new Proxy(p, {}); });
t('handler', function () { return new Proxy({}, p); });
t('handler get', function () { return new Proxy({}, p).x; });
t('revocable', function () { return Proxy.revocable(p, {}); });
t('revocable h', function () { return Proxy.revocable({}, p); });
t('reflect', function () { return Reflect.construct(Proxy, [p, {}]); });
var n = 'no'; try { n = new Proxy(p, {}); } catch (e) { n = undefined; }
if (n) { t('get', function () { return n.x; }); t('set', function () { n.x = 1; }); t('in', function () { return 'x' in n; }); t('keys', function () { return Object.keys(n); }); t('isArray', function () { return Array.isArray(n); }); t('typeof', function () { return typeof n; }); }
t('forin', function () { for (var k in p); });
t('forin2', function () { for (var k in p) { return k; } });
t('forin3', function () { var x = p; var c = 0; for (const key in x) c++; return c; });
t('forin heir', function () { var x = Object.create(p); for (const key in x); });
t('forin multi', function () {
  for (var k in
    p);
});
t('instanceof', function () { return p instanceof Object; });
t('instanceof2', function () { return {} instanceof p; });
t('spread', function () { return [...p]; });
t('of', function () { for (var k of p); });
t('concat', function () { return [].concat(p); });
t('json', function () { return JSON.stringify({ a: p }); });
t('toString', function () { return '' + p; });
t('plus', function () { return +p; });
t('keys', function () { return Object.keys(p); });
t('names', function () { return Object.getOwnPropertyNames(p); });
t('syms', function () { return Object.getOwnPropertySymbols(p); });
t('assign', function () { return Object.assign({}, p); });
t('assign2', function () { return Object.assign(p, { a: 1 }); });
t('freeze', function () { return Object.freeze(p); });
t('hasOwn', function () { return Object.prototype.hasOwnProperty.call(p, 'a'); });
t('reflect own', function () { return Reflect.ownKeys(p); });
var f = Proxy.revocable(function () {}, {}); f.revoke(); var q = f.proxy;
t('call', function () { return q(); }); t('new', function () { return new q(); }); t('apply', function () { return q.apply(); }); t('refapply', function () { return Reflect.apply(q, null, []); });
t('bind', function () { return Function.prototype.bind.call(q); }); t('fnstr', function () { return Function.prototype.toString.call(q); });
t('map', function () { return [1].map(q); }); t('then', function () { return Promise.resolve(1).then(q); });
t('class', function () { return class extends q {}; });
console.log(String(Proxy), Proxy.name, Proxy.length, 'prototype' in Proxy, String(Proxy.revocable), Object.prototype.toString.call(Proxy));
t('no new', function () { return Proxy({}, {}); });
t('no target', function () { return new Proxy(1, {}); });
t('no handler', function () { return Proxy.revocable({}, 1); });
