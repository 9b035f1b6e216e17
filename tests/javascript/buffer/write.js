// write() in each of its forms.
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
function written(args, size) {
  return tell(function () {
    var to = Buffer.alloc(size || 6, 46);
    return to.write.apply(to, args) + ' ' + to.toString('latin1'.slice(0, major > 4 ? 6 : 0));
  });
}
[['abc'], ['abc', 1], ['abc', 4], ['abc', 6], ['abc', 1, 2], ['abc', 1, 99], ['abc', 1, 0], ['616263', 'hex'], ['616263', 1, 'hex'], ['616263', 1, 2, 'hex'],
  ['YWJj', 'base64'], ['YWJj', 4, 'base64'], ['abcdefgh'], ['\u20ac\u20ac\u20ac'], ['\u20ac', 4], ['a\u20ac', 3, 3], ['\ud83d\ude00', 3], ['ab', 'ucs2'], ['abcd', 1, 'ucs2'],
  ['ab', 0, 3, 'ucs2'], ['abc', 0, 3, 'utf8'], ['abc', 'UTF8'], ['abc', 'xyz'], ['abc', 0, 'xyz'], ['abc', 0, 2, 'xyz'], ['', 0], ['', 6], ['abc', undefined, 2],
  ['abc', undefined, undefined, 'hex'], ['abc', 0, undefined, 'latin1'], ['abc', '1'], ['abc', 1, '2'], ['abc', null], ['abc', 0, null, 'hex'],
  ['x'.repeat(40)], ['x'.repeat(40), 2, 3], ['\xe9'.repeat(40), 1], ['\xe9'.repeat(40), 1, 4]].forEach(function (args) {
  console.log(JSON.stringify(args), written(args));
});
if (major >= 10) [['abc', 7], ['abc', -1], ['abc', 1.5], ['abc', 0, -1], ['abc', 'utf8', 1], ['abc', 'utf8', 1, 2], [], [5], [null], [{}]].forEach(function (args) {
  console.log(JSON.stringify(args), written(args));
});
if (major === 4) console.log(written(['abc', 'utf8', 1, 2]));
var to = Buffer.alloc(6, 46);
console.log(to.utf8Write('ab', 1), to.hexWrite('6162', 3), to.ucs2Write('a', 0, 2), to.base64Write('YWI=', 4), to.asciiWrite('z', 5), escape(to.toString()));
console.log(escape(to.utf8Slice(1, 4)), to.hexSlice(0, 2), escape(to.asciiSlice()), to.base64Slice(1), JSON.stringify(to.ucs2Slice(0, 2)), tell(function () { return to.utf8Slice(3, 1); }));
