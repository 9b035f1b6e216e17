// virtual clock, stdout only: turns of the loop and ticks until the callbacks of crypto, zlib and dns are called.
'use strict';
try { process.chdir('vclock:start'); } catch (error) {}
var crypto = require('crypto'), zlib = require('zlib'), dns = require('dns'), util = require('util');
var B = Buffer.alloc || function (n) { return new Buffer(n); };
var tests = [];
function cb(name, f) { tests.push([name, f]); }
function noise(n) { var b = B(n), x = 12345; for (var i = 0; i < n; i++) { x = (x * 1103515245 + 12345) & 0x7fffffff; b[i] = x >> 16; } return b; }
['gzip', 'deflate', 'deflateRaw'].forEach(function (op) {
  [0, 5, 17000, 70000].forEach(function (n) {
    cb(op + ' ' + n, function (d) { zlib[op](noise(n), d); });
    cb(op + ' zeros ' + n, function (d) { zlib[op](B(n), d); });
  });
});
var packed = [0, 5, 17000, 70000].map(function (n) { return [n, zlib.gzipSync(noise(n)), zlib.deflateSync(B(n))]; });
packed.forEach(function (p) {
  cb('gunzip ' + p[0], function (d) { zlib.gunzip(p[1], d); });
  cb('unzip ' + p[0], function (d) { zlib.unzip(p[1], d); });
  cb('inflate zeros ' + p[0], function (d) { zlib.inflate(p[2], d); });
});
cb('gunzip bad', function (d) { zlib.gunzip(B(20), d); });

cb('randomBytes', function (d) { crypto.randomBytes(8, d); });
cb('randomBytes 0', function (d) { crypto.randomBytes(0, d); });
cb('randomFill', function (d) { crypto.randomFill ? crypto.randomFill(B(8), d) : d(); });
cb('pbkdf2', function (d) { crypto.pbkdf2('a', 'b', 1, 8, 'sha1', d); });
cb('scrypt', function (d) { crypto.scrypt ? crypto.scrypt('a', 'b', 8, { N: 2 }, d) : d(); });
cb('hkdf', function (d) { crypto.hkdf ? crypto.hkdf('sha256', 'key', 'salt', 'info', 8, d) : d(); });
cb('randomInt', function (d) { crypto.randomInt ? crypto.randomInt(5, d) : d(); });
cb('randomInt again', function (d) { crypto.randomInt ? crypto.randomInt(5, d) : d(); });
cb('lookup localhost', function (d) { dns.lookup('localhost', d); });
cb('lookup ip', function (d) { dns.lookup('127.0.0.1', d); });
cb('lookup null', function (d) { dns.lookup(null, d); });
cb('lookupService', function (d) { dns.lookupService('127.0.0.1', 22, d); });
var i = 0;
function next() {
  if (i === tests.length) return;
  var t = tests[i++], turns = 0, ticks = 0, micro = 0, over = false;
  function turn() { if (!over) { turns++; if (turns < 60) setImmediate(turn); else { console.log(t[0], 'never'); over = true; next(); } } }
  setImmediate(turn);
  function tick() { if (!over && turns === 0 && ticks < 30) { ticks++; process.nextTick(tick); } }
  process.nextTick(tick);
  function done(e, v) { if (over) return; over = true; console.log(t[0] + ': ' + turns + ' ' + ticks + ' ' + (e && (e.code || e.message) || '')); setImmediate(next); }
  try { t[1](done); } catch (e) { over = true; console.log(t[0] + ': throws ' + e.message); setImmediate(next); }
}
setImmediate(next);
