// virtual clock: callbacks of zlib among the others
'use strict';
try { process.chdir('vclock:start'); } catch (error) {}
var zlib = require('zlib');
var fs = require('fs');
var log = function (text) { return function () { console.log(text); }; };
zlib.gzip('hello', function (error, packed) {
  console.log('gzip', error, packed.length);
  process.nextTick(log('tick in gzip'));
  setImmediate(log('immediate in gzip'));
  zlib.gunzip(packed, function (failure, text) { console.log('gunzip', failure, String(text)); });
});
fs.stat(__filename, log('stat'));
fs.readFile(__filename, log('readFile'));
setImmediate(function () { console.log('immediate 1'); setImmediate(function () { console.log('immediate 2'); setImmediate(log('immediate 3')); }); });
zlib.inflate('nonsense', function (error) { console.log('inflate', error.code); });
