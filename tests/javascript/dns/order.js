// virtual clock: lookups among the others
'use strict';
try { process.chdir('vclock:start'); } catch (error) {}
var dns = require('dns');
var fs = require('fs');
var log = function (text) { return function () { console.log(text); }; };
dns.lookup('127.0.0.1', log('lookup of an address'));
dns.lookup('localhost', 4, function (error, address) {
  console.log('lookup', error, address);
  process.nextTick(log('tick in lookup'));
  setImmediate(log('immediate in lookup'));
});
fs.stat(__filename, log('stat'));
process.nextTick(log('tick'));
setImmediate(log('immediate'));
Promise.resolve().then(log('reaction'));
