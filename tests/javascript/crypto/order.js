// virtual clock: callbacks of crypto among the others
'use strict';
try { process.chdir('vclock:start'); } catch (error) {}
var crypto = require('crypto');
var log = function (text) { return function () { console.log(text); }; };
crypto.randomBytes(4, function () {
  console.log('randomBytes');
  process.nextTick(log('tick in it'));
  Promise.resolve().then(log('reaction in it'));
  setImmediate(log('immediate in it'));
  setTimeout(log('timeout in it'), 0);
});
crypto.pbkdf2('a', 'b', 1, 8, 'sha1', function (error, key) { console.log('pbkdf2', error, key.toString('hex')); });
crypto.pbkdf2('a', 'b', 2, 8, 'sha1', log('pbkdf2 again'));
setImmediate(log('immediate'));
process.nextTick(log('tick'));
setTimeout(log('timeout'), 1);
console.log('length', crypto.randomBytes(3).length, crypto.pbkdf2Sync('a', 'b', 1, 8, 'sha1').toString('hex'));
