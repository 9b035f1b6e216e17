// Starts, ends, lengths and encodings that are none, of each function that takes some.
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
var values = [undefined, null, NaN, 2, 5, -1, 1.5, '1', 'abc', '', {}, true];
function abc() { return Buffer.from('abc'); }
var calls = {
  toStringEncoding: function (value) { return abc().toString(value); },
  toStringStart: function (value) { return abc().toString('utf8', value); },
  toStringEnd: function (value) { return abc().toString('utf8', 0, value); },
  sliceStart: function (value) { return abc().slice(value); },
  sliceEnd: function (value) { return abc().slice(0, value); },
  copyTarget: function (value) { return abc().copy(value); },
  copyTargetStart: function (value) { return abc().copy(Buffer.alloc(4), value); },
  copySourceStart: function (value) { return abc().copy(Buffer.alloc(4), 0, value); },
  copySourceEnd: function (value) { return abc().copy(Buffer.alloc(4), 0, 0, value); },
  compareTargetStart: function (value) { return abc().compare(Buffer.from('abd'), value); },
  compareTargetEnd: function (value) { return abc().compare(Buffer.from('abd'), 0, value); },
  compareSourceStart: function (value) { return abc().compare(Buffer.from('abd'), 0, 3, value); },
  compareSourceEnd: function (value) { return abc().compare(Buffer.from('abd'), 0, 3, 0, value); },
  fillOffset: function (value) { return Buffer.alloc(4).fill(1, value); },
  fillEnd: function (value) { return Buffer.alloc(4).fill(1, 0, value); },
  fillEncoding: function (value) { return Buffer.alloc(4).fill('61', 0, 4, value); },
  writeOffset: function (value) { return Buffer.alloc(4).write('ab', value); },
  writeLength: function (value) { return Buffer.alloc(4).write('ab', 0, value); },
  writeEncoding: function (value) { return Buffer.alloc(4).write('ab', 0, 2, value); },
  fromEncoding: function (value) { return Buffer.from('abcd', value); },
  fromOffset: function (value) { return Buffer.from(new ArrayBuffer(4), value); },
  fromLength: function (value) { return Buffer.from(new ArrayBuffer(4), 1, value); },
  byteLengthEncoding: function (value) { return Buffer.byteLength('abcd', value); },
  concatLength: function (value) { return Buffer.concat([abc()], value); },
};
Object.keys(calls).forEach(function (name) {
  if (/from(?:Offset|Length)/.test(name) && /^v[46]\./.test(process.version)) return;  // what the engine itself says there
  values.forEach(function (value) {
    if (value === -1 && name === 'concatLength' && parseInt(process.version.slice(1), 10) < 12) return;  // a size as large as any
    if (value === -1 && /^from/.test(name)) return;  // the same
    console.log(name, JSON.stringify(value), tell(function () { return calls[name](value); }));
  });
});
