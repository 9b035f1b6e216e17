// stdout only
// What the class of all typed arrays says, and its methods of what is none.
var T = Object.getPrototypeOf(Int8Array);
function t(n, f) { try { console.log(n, f()); } catch (e) { console.log(n, e.name + ': ' + e.message); } }
t('call', function () { return T(); }); t('new', function () { return new T(); }); t('from', function () { return T.from([1]); }); t('new2', function () { return new T(4); }); t('refl', function () { return Reflect.construct(T, []); });
t('bare', function () { return Int8Array(); });
var P = Object.getPrototypeOf(Int8Array.prototype);
['length', 'byteLength', 'byteOffset', 'buffer'].forEach(function (k) { t(k, function () { return P[k]; }); t(k, function () { return Object.getOwnPropertyDescriptor(P, k).get.call([1]); });  t(k, function () { return Object.getOwnPropertyDescriptor(P, k).get.call(5); }); });
['map', 'fill', 'set', 'slice', 'subarray', 'join', 'sort', 'indexOf', 'entries', 'reverse'].forEach(function (k) { t(k, function () { return P[k].call([1], function () {}); }); t(k, function () { return P[k].call(5, function () {}); }); });
