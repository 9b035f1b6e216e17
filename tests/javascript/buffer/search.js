// indexOf(), lastIndexOf() and includes() of bytes, texts and buffers, from each place.
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
var bytes = Buffer.from('abcabcaXa');
var wide = Buffer.from('abab\u0161a', 'ucs2');
var names = ['indexOf', 'lastIndexOf', 'includes'].filter(function (name) { return name === 'indexOf' || !/^v4/.test(process.version); });
// An empty text, which Node 4 and 6 do not find.
var wanted = ['a', 'abc', 'ca', 'x', 'aXa', 'abcabcaXab', 97, 99, 353, -159, 97.9, Buffer.from('bc'), Buffer.from('a'), Buffer.from('zz')];
if (!/^v[46]\./.test(process.version)) wanted.push('', Buffer.alloc(0));
names.forEach(function (name) {
  wanted.forEach(function (value) {
    console.log(name, value, [undefined, 0, 1, 3, 6, 8, 9, 10, 100, -1, -3, -9, -10, -100].map(function (offset) {
      return tell(function () { return offset === undefined ? bytes[name](value) : bytes[name](value, offset); });
    }).join(' '));
  });
  console.log(name, [null, 'utf8', {}, [], '2', true, 1e10, -1e10, 1.9, -1.9, NaN].map(function (offset) {
    return tell(function () { return bytes[name]('a', offset); });
  }).join(' '));
  console.log(name, ['utf8', 'latin1', 'binary', 'ascii', 'hex', 'base64', 'ucs2', 'UCS2', 'xyz', 'ABCD', 'base64url'].map(function (encoding) {
    return tell(function () { return bytes[name]('6162', 0, encoding); }) + ',' + tell(function () { return bytes[name]('YWI=', 1, encoding); });
  }).join(' '));
  console.log(name, ['b', 'ab', '\u0161', 'x'].map(function (value) {
    return [undefined, 0, 1, 2, 3, 5, -2, -3].map(function (offset) {
      return tell(function () { return wide[name](value, offset, 'ucs2'); }) + ',' +
        tell(function () { return wide[name](Buffer.from(value, 'ucs2'), offset, 'utf16le'); });
    }).join(' ');
  }).join(' | '));
  if (parseInt(process.version.slice(1), 10) >= 24) {
    [0, 1, 3, 4, 7, 100, -1, -4, 2.5].forEach(function (end) {
      console.log(name, end, [['a'], ['abc'], [97], ['c'], [Buffer.from('bc')], ['X']].map(function (one) {
        return tell(function () { return bytes[name](one[0], 0, end); }) + ',' + tell(function () { return bytes[name](one[0], 1, end, 'latin1'); }) +
          ',' + tell(function () { return bytes[name](one[0], undefined, end); });
      }).join(' '));
    });
  }
  [undefined, null, {}, [], true, function () {}].forEach(function (value) { console.log(name, tell(function () { return bytes[name](value); })); });
});
