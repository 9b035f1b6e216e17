// virtual clock: more work than the pool has threads
'use strict';
try { process.chdir('vclock:start'); } catch (error) {}
var fs = require('fs');
var start = Date.now();
function done(name) { return function () { console.log(name, Date.now() - start); }; }
for (var i = 0; i < 5; i++) fs.access('/vclock/op/10000000/' + i, done('access ' + i));
setTimeout(done('timeout 10'), 10);
fs.access('/vclock/fail/15000000/9', function (error) { console.log(error.code, Date.now() - start); });
setTimeout(function () { fs.writeFile('/tmp/loopsim-order-pool', 'x', function () {
  done('written')();
  fs.unlink('/tmp/loopsim-order-pool', done('unlinked'));
}); }, 30);
