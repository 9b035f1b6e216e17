// Texts as bytes and back, with what is wrong in them.
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
function codes(text) {
  return text.split('').map(function (one) { return one.charCodeAt(0).toString(16); }).join('.');
}
// Bytes that are no UTF-8: how many characters stand for them is V8's of the version.
['80', 'c3', 'c328', 'e282', 'e28228', 'f09f98', 'f09f9828', 'f0', 'ff', 'c0af', 'e080af', 'eda080', 'eda080edb080', 'f4908080', 'f8888080',
  'c3c3a9', 'e2e282ac', 'f0e282ac', '61c3', 'f08080af', 'fc808080808f', 'edbfbf', 'efbfbe', 'efbbbf61', 'f09f9880', 'e28280e282', 'f09fc3a9',
  'f5808080', 'c1bf', 'f48fbfbf', 'e0a0', 'e09f80', 'f08f8080'].forEach(function (hex) {
  console.log(hex, codes(Buffer.from(hex, 'hex').toString()), codes(Buffer.from(hex + '61'.repeat(40) + hex, 'hex').toString('utf8', 0, 9)));
});
['YQ==YQ==', 'YQ', 'YQ=', 'YQ==', 'Y', '=', '=YQ', 'Y Q=\n=', 'YW\tJj', 'YQ=a', 'YWI=YWI=', 'a-_b', 'a+/b', 'a-/b', '\xe9!YQ', 'YQ\u1234==',
  'YWJjZA==x', '====YQ', 'Y===', 'YWJ!jZGVm', 'AAAAA', 'AA==AAAA', '!!!!', 'YWJj  ZA', 'QUJD'.repeat(10), 'QUJD'.repeat(10) + 'YQ==',
  'QUJD'.repeat(10) + 'YQ', 'QUJ_'.repeat(10), 'QUJ+'.repeat(10) + '-', 'QUJD'.repeat(10) + '\nYQ=='].forEach(function (text) {
  console.log(JSON.stringify(text), tell(function () { return Buffer.from(text, 'base64'); }), Buffer.byteLength(text, 'base64'),
    tell(function () { var to = Buffer.alloc(6, 1); return to.write(text, 'base64') + to.toString('hex'); }),
    tell(function () { var to = Buffer.alloc(6, 1); return to.write(text, 0, 2, 'base64') + to.toString('hex'); }),
    tell(function () { return Buffer.from(text, 'base64url'); }));
});
['abc', 'a', 'zz', '00zz', '0g', 'ABcd', '00 11', '\xe90', '0011223', '', '\u0130\u0130', '00ff'.repeat(10), '00ff'.repeat(10) + 'x0'].forEach(function (text) {
  console.log('hex', JSON.stringify(text), tell(function () { return Buffer.from(text, 'hex'); }),
    tell(function () { var to = Buffer.alloc(4, 1); return to.write(text, 'hex') + to.toString('hex'); }));
});
['\xe9', '\u1234a', '\ud800', '\ud83d\ude00', 'a\ud83d', '\ude00b', '\xff\u20ac', 'x'.repeat(30) + '\xe9\ud800\u20ac\ud83d\ude00'].forEach(function (text) {
  ['utf8', 'latin1', 'binary', 'ascii', 'ucs2', 'UTF-16LE', 'Utf-8', 'LATIN1', 'raw', 'utf7'].forEach(function (encoding) {
    console.log(escape(text), encoding, tell(function () { return Buffer.from(text, encoding); }),
      tell(function () { return Buffer.byteLength(text, encoding); }),
      tell(function () { var to = Buffer.alloc(3, 1); return to.write(text, encoding) + to.toString('hex'); }));
  });
});
['ascii', 'latin1', 'binary', 'hex', 'base64', 'base64url', 'ucs2', 'utf16le', 'utf8', 'UTF8', 'Ucs-2', 'raw', 'abcd'].forEach(function (encoding) {
  console.log(encoding, Buffer.isEncoding(encoding), tell(function () { return escape(Buffer.from('00417f80c3a9ffe28000', 'hex').toString(encoding)); }),
    tell(function () { return escape(Buffer.from('00417f80c3a9ffe28000', 'hex').toString(encoding, 1, 4)); }));
});
