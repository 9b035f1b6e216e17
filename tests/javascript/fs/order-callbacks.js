// virtual clock: callbacks of fs among ticks, microtasks, immediates and timers
'use strict';
try { process.chdir('vclock:start'); } catch (error) {}
var fs = require('fs');
var log = function (text) { return function () { console.log(text); }; };
setTimeout(log('timeout 0'), 0);
setImmediate(log('immediate'));
process.nextTick(log('tick'));
Promise.resolve().then(log('reaction'));
fs.readFile(__filename, function () {
  console.log('readFile');
  setTimeout(log('timeout in readFile'), 0);
  setImmediate(log('immediate in readFile'));
  process.nextTick(log('tick in readFile'));
  Promise.resolve().then(log('reaction in readFile'));
});
fs.stat(__filename, function () {
  console.log('stat');
  process.nextTick(log('tick in stat'));
  fs.stat(__filename, log('stat in stat'));
  setImmediate(log('immediate in stat'));
});
fs.access(__filename, function () { console.log('access'); Promise.resolve().then(log('reaction in access')); });
fs.exists(__filename, log('exists'));
fs.readdir('.', log('readdir'));
fs.open(__filename, 'r', function (error, fd) {
  console.log('open');
  fs.read(fd, (Buffer.alloc ? Buffer.alloc(4) : new Buffer(4)), 0, 4, 0, function (error, count, buffer) {
    console.log('read', count, String(buffer));
    fs.close(fd, log('close'));
  });
});
console.log('end of script', fs.readFileSync(__filename).length > 100, fs.existsSync('nothing'));
