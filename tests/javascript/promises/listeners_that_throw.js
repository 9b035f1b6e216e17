// virtual clock
// Listeners of rejections that throw while other rejections wait: what the next drains do with the microtasks of the listener.
var fs = require('fs');
process.on('uncaughtException', function (error, origin) {
  console.log('caught', error, origin, arguments.length);
  setImmediate(function () { console.log('immediate of', error); });
});
Promise.reject('a');
Promise.resolve().then(function () { throw 'b'; });
Promise.reject('c');
var heard = 0;
process.on('unhandledRejection', function (reason) {
  Promise.resolve().then(function () { console.log('microtask of', reason); });
  console.log('unhandled', reason);
  if (++heard <= 2) throw 'e' + heard;
});
fs.stat(__filename, function () { console.log('stat'); });
