// stdout only
// Sorting frozen arrays: which element is written first, if any; and what takes from them.
'use strict';
function t(n, f) { try { console.log(n, JSON.stringify(f())); } catch (e) { console.log(n, e.name + ': ' + e.message); } }
[['a', 'b'], ['b', 'a'], ['a', 'a'], [1, 2], [2, 1], [1, 1], ['a', 'b', 'c'], ['a', 'c', 'b'], [1], [], [undefined, 1], [1, undefined], [true, false], [false, true], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [1, 'a'], ['1', 2], [1.5, 2.5], [null, undefined], [{}, {}], [10, 9], [9, 10], ['10', '9']].forEach(function (a) {
  t(JSON.stringify(a), function () { return Object.freeze(a.slice()).sort(); });
  t(JSON.stringify(a) + ' cmp', function () { return Object.freeze(a.slice()).sort(function (x, y) { return x < y ? -1 : x > y ? 1 : 0; }); });
  t(JSON.stringify(a) + ' rev', function () { return Object.freeze(a.slice()).sort(function (x, y) { return x < y ? 1 : x > y ? -1 : 0; }); });
});
t('pop', function () { return Object.freeze([3, 1, 2]).pop(); });
t('pop sealed', function () { return Object.seal([3, 1, 2]).pop(); });
t('calls', function () {
  var calls = [];
  try { Object.freeze(['b', 'c', 'a']).sort(function (x, y) { calls.push(x + y); return x < y ? -1 : 1; }); } catch (e) { calls.push(e.message.length > 0); }
  return calls.length > 0;
});
console.log(String([].sort), [].sort.name, [].sort.length);
