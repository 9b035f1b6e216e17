// Numbers that are read and written, at each place and of each size, and what is wrong with them.
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
var kinds = ['UInt8', 'UInt16LE', 'UInt16BE', 'UInt32LE', 'UInt32BE', 'Int8', 'Int16LE', 'Int16BE', 'Int32LE', 'Int32BE', 'FloatLE', 'FloatBE',
  'DoubleLE', 'DoubleBE', 'BigUInt64LE', 'BigInt64BE', 'Uint8', 'Uint16LE'];
var bytes = Buffer.from('00ff7f80fe0102830000c03f81', 'hex');
kinds.forEach(function (kind) {
  if (typeof bytes['read' + kind] !== 'function') return console.log(kind, typeof bytes['read' + kind]);
  var read = [];
  for (var at = 0; at < 5; at++) read.push(tell(function () { return bytes['read' + kind](at); }));
  console.log(kind, read.join(' '));
  [undefined, null, '1', -1, 0.5, NaN, 13, 12, 6, {}, Infinity].forEach(function (offset) {
    if (offset === undefined || offset === 6 || process.version[1] !== '4' || offset === 12) {
      console.log(kind, String(offset), tell(function () { return bytes['read' + kind](offset); }));
    }
  });
  console.log(kind, 'of 1', tell(function () { return Buffer.alloc(1)['read' + kind](1); }));
});
['LE', 'BE'].forEach(function (order) {
  ['UInt', 'Int'].forEach(function (type) {
    for (var size = 1; size < 7; size++) {
      var name = type + order;
      var to = Buffer.alloc(8, 7);
      var most = type === 'UInt' ? Math.pow(2, 8 * size) - 1 : Math.pow(2, 8 * size - 1) - 1;
      var least = type === 'UInt' ? 0 : -Math.pow(2, 8 * size - 1);
      console.log(name, size, tell(function () { return bytes['read' + name](1, size); }), [most, least, most - 2, least + 1, 1.5].map(function (value) {
        return tell(function () { return to['write' + name](value, 1, size) + ':' + to.toString('hex') + ':' + to['read' + name](1, size); });
      }).join(' '), tell(function () { return to['write' + name](most + 1, 1, size); }), tell(function () { return to['write' + name](least - 1, 1, size); }));
    }
    if (!/^v[468]\./.test(process.version)) {
      [undefined, 0, 7, '2', 2.5, null].forEach(function (size) {
        console.log(name, String(size), tell(function () { return bytes['read' + name](0, size); }), tell(function () { return to['write' + name](1, 0, size); }));
      });
    }
    console.log(name, tell(function () { return bytes['read' + name](12, 2); }), tell(function () { return to['write' + name](1, 7, 2); }));
  });
});
kinds.forEach(function (kind) {
  if (typeof bytes['write' + kind] !== 'function' || /^Big/.test(kind)) return;
  var to = Buffer.alloc(10);
  [0, 1, -1, 127, 128, 255, 256, -128, -129, 65535, 65536, 2147483648, 4294967295, 4294967296, -2147483648, -2147483649, 1.5, '3', NaN, undefined,
    1e10].forEach(function (value) {
    console.log(kind, String(value), tell(function () { to.fill(0); return to['write' + kind](value, 1) + ' ' + to.toString('hex'); }));
  });
  [9, 10, -1, 0.5, '0', NaN].forEach(function (offset) {
    if (!/^v[468]\./.test(process.version) || offset === 9 || offset === 10) {
      console.log(kind, 'at', String(offset), tell(function () { return to['write' + kind](1, offset); }));
    }
  });
});
if (typeof bytes.writeBigInt64LE === 'function') {
  var BigIntOf = global.BigInt;
  ['0', '1', '-1', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809', '18446744073709551615',
    '18446744073709551616'].forEach(function (digits) {
    ['BigInt64LE', 'BigInt64BE', 'BigUInt64LE', 'BigUInt64BE'].forEach(function (kind) {
      var to = Buffer.alloc(9);
      console.log(kind, digits, tell(function () {
        return to['write' + kind](BigIntOf(digits), 1) + ' ' + to.toString('hex') + ' ' + to['read' + kind](1);
      }));
    });
  });
  console.log(tell(function () { return Buffer.alloc(4).writeBigInt64LE(BigIntOf(1)); }), tell(function () { return Buffer.alloc(9).readBigInt64LE(2); }));
}
// Nothing is checked when a program says so, up to Node 8.
if (/^v[468]\./.test(process.version)) {
  console.log(Buffer.from('010203', 'hex').readUInt32LE(1, true), Buffer.from('010203', 'hex').readUInt16BE(2, true),
    Buffer.from('0102', 'hex').readUInt8(5, true), tell(function () { var to = Buffer.alloc(2); to.writeUInt32BE(0x01020304, 0, true); return to; }),
    tell(function () { var to = Buffer.alloc(2); to.writeInt8(300, 1, true); return to; }));
}
