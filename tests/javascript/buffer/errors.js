// What Buffer's functions make of each kind of value, and what they throw, with Node's words of the time.
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
var values = [undefined, null, NaN, 5, -1, 'abc', '', {}, [], [1, 2, 300, -1], true, function f() {}, { length: 2, 0: 7 }, { length: '2' },
  { type: 'Buffer', data: [1, 2] }, new String('xy'), new Uint8Array([98])];
var asFirst = {
  from: function (value) { return Buffer.from(value); },
  byteLength: function (value) { return Buffer.byteLength(value); },
  isEncoding: function (value) { return Buffer.isEncoding(value); },
  concat: function (value) { return Buffer.concat(value); },
  compare: function (value) { return Buffer.compare(value, Buffer.from('b')); },
  compareWith: function (value) { return Buffer.compare(Buffer.from('b'), value); },
  equals: function (value) { return Buffer.from('b').equals(value); },
  compareTo: function (value) { return Buffer.from('b').compare(value); },
  isBuffer: function (value) { return Buffer.isBuffer(value); },
};
Object.keys(asFirst).forEach(function (name) {
  values.forEach(function (value, i) { console.log(name, i, tell(function () { return asFirst[name](value); })); });
});
// Sizes of which no version makes a buffer of an unknown length.
[undefined, null, 'abc', {}, true, -1].forEach(function (value) {
  ['alloc', 'allocUnsafe', 'allocUnsafeSlow'].forEach(function (name) {
    if (value !== -1 || name === 'alloc') console.log(name, tell(function () { return Buffer[name](value); }));
  });
});
