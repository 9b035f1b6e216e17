// Buffer() and new Buffer(), SlowBuffer, and the warnings that they give.
'use strict';
var major = parseInt(process.version.slice(1), 10);
function tell(run) {
  try {
    var result = run();
    console.log(Buffer.isBuffer(result) ? result.toString('hex') + ' ' + result.length : result && result.constructor ? result.constructor.name + ' ' + result.length : result);
  } catch (error) {
    console.log([error.name, error.code, error.message].join('|'));
  }
}
tell(function () { return new Buffer('abc'); });
tell(function () { return Buffer('616263', 'hex'); });
tell(function () { return new Buffer([1, 2, 300]); });
tell(function () { return new Buffer(3).length; });
tell(function () { return new Buffer(new Uint8Array([1, 2, 3]).buffer); });
tell(function () { return new Buffer(Buffer.from('abc')); });
tell(function () { return new Buffer({ length: 2, 1: 5 }); });
tell(function () { return new Buffer('abc', 'xyz'); });
if (major > 4) tell(function () { return new Buffer(5, 'utf8'); });
tell(function () { return new Buffer(null); });
tell(function () { return new Buffer(undefined); });
tell(function () { return new Buffer({}); });
var SlowBuffer = require('buffer').SlowBuffer;
if (SlowBuffer) {
  tell(function () { return new SlowBuffer(4).length; });
  tell(function () { return SlowBuffer(4).length; });
  if (major >= 8) tell(function () { return SlowBuffer('x'); });
  if (major >= 8) tell(function () { return SlowBuffer('4').length; });
}
if (major === 4) {
  tell(function () { return Buffer.from([7, 8]).get(1); });
  tell(function () { var to = Buffer.from([7, 8]); to.set(0, 5); return to; });
  tell(function () { return Buffer.from([7, 8]).get(2); });
}
