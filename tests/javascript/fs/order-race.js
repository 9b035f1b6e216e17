// virtual clock: the classic pairs of setImmediate and setTimeout in a callback of fs
'use strict';
try { process.chdir('vclock:start'); } catch (error) {}
var fs = require('fs');
fs.readFile(__filename, function () {
  setTimeout(function () { console.log('timeout'); }, 0);
  setImmediate(function () { console.log('immediate'); });
});
var turns = 0;
(function turn() { if (++turns < 8) { console.log('turn', turns); setImmediate(turn); } })();
fs.stat(__filename, function (error, stats) { console.log('stat', error, stats.isFile(), stats.isDirectory(), stats.size > 0); });
fs.lstat('nothing', function (error) { console.log(error.message); });
fs.realpath('/tmp', function (error) { console.log('realpath', error); });
