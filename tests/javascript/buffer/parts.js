// fill(), copy(), swap16() and its kind, concat(), slice() and compare().
'use strict';
function tell(run) {
  try {
    var result = run();
    if (Buffer.isBuffer(result)) return '<' + result.toString('hex') + '>';
    return typeof result === 'string' ? JSON.stringify(result) : String(result);
  } catch (error) {
    return [error.name, error.code, error.message].join('|');
  }
}
var major = parseInt(process.version.slice(1), 10);
function filled(args) { return tell(function () { var to = Buffer.alloc(9, 1); return to.fill.apply(to, args); }); }
[[0], [5], [300], [-1], [1.9], ['a'], ['abc'], ['\xe9'], ['\u1234'], ['\xff'], ['ab', 2], ['ab', 2, 5], ['ab', 5, 2], ['ab', 9], [true], [null],
  [undefined], [{}]].forEach(function (args) { console.log('fill', JSON.stringify(args), filled(args)); });
if (major >= 6) {
  [['abc', 'latin1'], ['6162', 'hex'], ['6162', 1, 'hex'], ['6162', 1, 4, 'hex'], ['YWI=', 'base64'], ['ab', 'ucs2'], ['\xe9', 'latin1'],
    ['\xe9', 'ascii'], ['\u0161', 'binary'], ['a', 'xyz'], ['ab', 1, 'xyz'], [Buffer.from('xyz')], [Buffer.from('xyz'), 4],
    [Buffer.from('xyz'), 4, 6], [new Uint8Array([8, 9])], [1, 1, 1]].forEach(function (args) {
    console.log('fill', String(args), filled(args));
  });
}
if (major >= 10) [['zz', 'hex'], [Buffer.alloc(0)], [1, -1], [1, 0, 10], ['a', 0, 3, 5]].forEach(function (args) { console.log('fill', String(args), filled(args)); });
[[4], [4, 0], [4, 'ab'], [4, ''], [4, '\xe9'], [0, 'x'], [5, 1], [5, true]].forEach(function (args) {
  if (args[1] !== '' || major > 4) console.log('alloc', String(args), tell(function () { return Buffer.alloc.apply(Buffer, args); }));
});
if (major >= 6) console.log(tell(function () { return Buffer.alloc(5, '6162', 'hex'); }), tell(function () { return Buffer.alloc(5, 'YWI=', 'base64'); }), tell(function () { return Buffer.alloc(5, 'ab', 'xyz'); }));
[[], [1], [1, 1], [1, 1, 2], [0, 2, 1], [5], [0, 3], [0, 0, 99], [2, 0, 99]].forEach(function (args) {
  console.log('copy', String(args), tell(function () {
    var to = Buffer.alloc(4, 7);
    var count = Buffer.prototype.copy.apply(Buffer.from('abc'), [to].concat(args));
    return count + ':' + to.toString('hex');
  }));
});
var own = Buffer.from('abcdef');
console.log(own.copy(own, 2, 0, 4), own.toString(), own.copy(own, 0, 2), own.toString());
['swap16', 'swap32', 'swap64'].forEach(function (name) {
  if (major < 6) return;
  [0, 1, 2, 4, 6, 8, 16, 256].forEach(function (size) {
    console.log(name, size, tell(function () {
      var of = Buffer.alloc(size);
      for (var i = 0; i < size; i++) of[i] = i;
      return of[name]().slice(-16);
    }));
  });
});
[[[]], [[Buffer.from('a')]], [[Buffer.from('a'), Buffer.from('bc')]], [[Buffer.from('ab'), Buffer.from('c')], 2], [[Buffer.from('ab')], 4],
  [[Buffer.from('ab'), Buffer.from('cd')], 3], [[Buffer.from('ab'), Buffer.from('cd')], 0]].forEach(function (args) {
  if (major >= 6) console.log('concat', String(args[1]), tell(function () { return Buffer.concat.apply(Buffer, args); }));
});
console.log([[], [1], [1, 2], [-2], [-2, -1], [5], [0, 99], [2, 1], [0.9, 2.9], ['1', '2'], [NaN], [null, null], [undefined, undefined]].map(function (args) {
  return tell(function () { return own.slice.apply(own, args); }) + (major < 8 ? '' : ',' + tell(function () { return own.subarray.apply(own, args); }));
}).join(' '));
var a = Buffer.from('abc');
console.log([Buffer.from('abc'), Buffer.from('abd'), Buffer.from('ab'), Buffer.alloc(0), Buffer.from('\xff', 'binary'), a].map(function (b) {
  return [a.compare(b), b.compare(a), Buffer.compare(a, b), a.equals(b)].join();
}).join(' '));
if (major >= 6) {
  console.log([[a, 1], [a, 1, 2], [a, 1, 2, 1], [a, 1, 2, 1, 2], [a, 3], [a, 2, 1], [a, 0, 3, 2, 1], [a, 0, 0, 0, 0], [Buffer.from('xbc'), 1, 3, 1]].map(function (args) {
    return tell(function () { return a.compare.apply(a, args); });
  }).join(' '));
}
console.log(JSON.stringify(Buffer.from('ab')), JSON.stringify(Buffer.alloc(0)), JSON.stringify({ of: [Buffer.from([255])] }), Buffer.from(JSON.parse(JSON.stringify(a))).toString(),
  tell(function () { return Buffer.from(new Uint16Array([1, 258])); }), tell(function () { return Buffer.from(new Uint16Array([1, 258]).buffer); }),
  tell(function () { return Buffer.from(new Uint8Array([1, 2]).buffer, 1); }), tell(function () { return Buffer.from([1.9, -1, 256, '3', 'x', null]); }),
  tell(function () { return Buffer.from(Buffer.from('abc')); }));
