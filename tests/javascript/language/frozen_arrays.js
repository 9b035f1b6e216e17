// What cannot be changed of arrays: the errors of the language, in V8's words.
'use strict';
var names = { frozen: function(a){return Object.freeze(a)}, sealed: function (a){return Object.seal(a)}, nonext: function(a){return Object.preventExtensions(a)} };
// What Node 10 and 11 write while they sort is another order of their own.
var leavesSort = /^v1[01]\./.test(process.version);
function t(label, f) { if (leavesSort && /frozen (?:sortcmp|sorted sort)|getter sort/.test(label)) return; try { var r = f(); console.log(label, 'ok', JSON.stringify(r)); } catch (e) { console.log(label, e.name + ': ' + e.message); } }
Object.keys(names).forEach(function (kind) {
  var make = function () { return names[kind](['b', 'a', 'c']); };
  var ops = {
    sort: function (a) { return a.sort(); }, sortcmp: function (a) { return a.sort(function (x, y) { return x < y ? 1 : -1; }); },
    push: function (a) { return a.push('d'); }, pushnone: function (a) { return a.push(); }, push2: function (a) { return a.push('d', 'e'); },
    pop: function (a) { return a.pop(); }, shift: function (a) { return a.shift(); }, unshift: function (a) { return a.unshift('z'); }, unshiftnone: function (a) { return a.unshift(); },
    splice1: function (a) { return a.splice(0, 1); }, splice0: function (a) { return a.splice(1, 0, 'x'); }, splice2: function (a) { return a.splice(1, 1, 'x'); }, splicenone: function (a) { return a.splice(3, 0); },
    spliceall: function (a) { return a.splice(0); },
    reverse: function (a) { return a.reverse(); }, fill: function (a) { return a.fill('q'); }, fillnone: function (a) { return a.fill('q', 3); }, copyWithin: function (a) { return a.copyWithin(0, 1); },
    length0: function (a) { a.length = 0; return a; }, length9: function (a) { a.length = 9; return a; }, lengthsame: function (a) { a.length = 3; return a; }, length1: function (a) { a.length = 1; return a; },
    set0: function (a) { a[0] = 'n'; return a; }, set5: function (a) { a[5] = 'n'; return a; }, prop: function (a) { a.foo = 'n'; return a; }, del0: function (a) { delete a[0]; return a; }, dellen: function (a) { delete a.length; return a; },
    def0: function (a) { Object.defineProperty(a, 0, { value: 'n' }); return a; }, def5: function (a) { Object.defineProperty(a, 5, { value: 'n' }); return a; }, deflen: function (a) { Object.defineProperty(a, 'length', { value: 1 }); return a; },
    assign: function (a) { return Object.assign(a, ['z']); }, assign2: function (a) { return Object.assign(a, { q: 1 }); }, proto: function (a) { return Object.setPrototypeOf(a, null) && 1; }, proto2: function (a) { a.__proto__ = null; return 1; },
    inc: function (a) { a[0]++; return a; }, plus: function (a) { a[0] += 'x'; return a; }, destr: function (a) { [a[0]] = ['q']; return a; }, destr2: function (a) { ({ x: a[7] } = { x: 1 }); return a; },
  };
  Object.keys(ops).forEach(function (op) { t(kind + ' ' + op, function () { return ops[op](make()); }); });
  t(kind + ' empty push', function () { return names[kind]([]).push(1); }); t(kind + ' empty pop', function () { return names[kind]([]).pop(); }); t(kind + ' empty shift', function () { return names[kind]([]).shift(); });
  t(kind + ' empty unshift', function () { return names[kind]([]).unshift(1); }); t(kind + ' empty splice', function () { return names[kind]([]).splice(0, 0, 1); }); t(kind + ' empty sort', function () { return names[kind]([]).sort(); }); t(kind + ' one reverse', function () { return names[kind]([1]).reverse(); });
  t(kind + ' holes sort', function () { return names[kind]([, 2, 1]).sort(); }); t(kind + ' holes reverse', function () { return names[kind]([, 2, 1]).reverse(); }); t(kind + ' numbers sort', function () { return names[kind]([3, 2, 1]).sort(); }); t(kind + ' sorted sort', function () { return names[kind]([1, 2]).sort(); });t(kind + ' doubles push', function () { return names[kind]([1.5]).push(2); });
});
var ops2 = { push: [1], pop: [], shift: [], unshift: [1], sort: [], reverse: [], fill: [1], splice: [0, 1], copyWithin: [0, 1] };
Object.keys(ops2).forEach(function (m) { t('object ' + m, function () { return [][m].apply(Object.freeze({ 0: 'b', 1: 'a', length: 2 }), ops2[m]); }); t('string ' + m, function () { return [][m].apply('ba', ops2[m]); });t('ro length ' + m, function () { var a = ['b', 'a']; Object.defineProperty(a, 'length', { writable: false }); return [][m].apply(a, ops2[m]); });t('getter ' + m, function () { var a = ['b', 'a']; Object.defineProperty(a, 0, { get: function () { return 1; } }); return [][m].apply(a, ops2[m]); }); });
['map', 'set'].forEach(function (k) { t('frozen ' + k, function () { return k === 'map' ? Object.freeze(new Map()).set(1, 2).size : Object.freeze(new Set()).add(1).size; }); });
t('typed freeze', function () { return Object.freeze(new Uint8Array(2)); });
