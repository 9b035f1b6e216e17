// The functions of the module: transcode(), isUtf8(), isAscii(), atob() and btoa(), and its constants.
'use strict';
var buffer = require('buffer');
var major = parseInt(process.version.slice(1), 10);
function tell(run) {
  try {
    var result = run();
    if (Buffer.isBuffer(result)) return '<' + result.toString('hex') + '>';
    return typeof result === 'string' ? JSON.stringify(result) : String(result);
  } catch (error) {
    return [error.name, error.code, error.message].join('|');
  }
}
var encodings = ['utf8', 'ucs2', 'latin1', 'binary', 'ascii', 'base64', 'xyz', undefined, 'UTF-8', '', 5];
var texts = ['61c3a9e282acf09f9880', '80ff6161', '', '3dd800de6100', '61c3', '00d86100', '3dd8', '61006200'];
encodings.forEach(function (one) {
  encodings.forEach(function (other) {
    if (major === 12 && /^(?:ucs2|utf16le)$/.test(one) && one === other) return;  // Node 12 aborts
    if (buffer.transcode) {
      console.log(one, other, texts.map(function (hex) { return tell(function () { return buffer.transcode(Buffer.from(hex, 'hex'), one, other); }); }).join(' '));
    }
  });
});
[undefined, 'abc', {}, new Uint16Array(2), new Uint8Array([97, 233])].forEach(function (value) {
  if (buffer.transcode) console.log(tell(function () { return buffer.transcode(value, 'latin1', 'utf8'); }));
});
['isUtf8', 'isAscii'].forEach(function (name) {
  [undefined, 'abc', 5, [], new Uint16Array([97, 200]), new Uint8Array([97]), new Uint8Array([200]), new ArrayBuffer(2), new DataView(new ArrayBuffer(2)),
    Buffer.from('\xe9'), Buffer.from('eda080', 'hex'), Buffer.alloc(0), Buffer.alloc(99, 'a')].forEach(function (value) {
    if (buffer[name]) console.log(name, tell(function () { return buffer[name](value); }));
  });
});
['atob', 'btoa'].forEach(function (name) {
  if (!buffer[name]) return;
  ['', ' ', 'YQ==', 'YQ', 'YQ=', 'Y', 'YWI', 'YWJj', 'YWJj\n', ' Y Q = = ', 'YQ===', '=', '==', 'a=b', 'Y=Q=', 'ab\xe9', 'ab\u1234', '\xff\x00', null, undefined, 5, {},
    true, '*', 'YR==', 'YW J=', '====', 'a===', 'AAAA====', 'AAAAA', 'aGk_', '\x0bYQ=='].forEach(function (value) {
    console.log(name, JSON.stringify(value), tell(function () { return escape(buffer[name](value)); }));
  });
  console.log(name, tell(function () { return buffer[name](); }), name in global && global[name] === buffer[name]);
});
console.log(buffer.kMaxLength, buffer.kStringMaxLength, buffer.INSPECT_MAX_BYTES, Buffer.poolSize);
console.log(buffer.constants);
