// virtual clock, stdout only: promises of fs among ticks, microtasks, immediates and callbacks
'use strict';
try { process.chdir('vclock:start'); } catch (error) {}
var fs = require('fs');
var log = function (text) { return function () { console.log(text); }; };
if (!fs.promises) {
  console.log('no promises');
} else {
  var p = fs.promises;
  p.readFile(__filename).then(log('p.readFile'));
  p.stat(__filename).then(function () {
    console.log('p.stat');
    process.nextTick(log('tick in p.stat'));
    Promise.resolve().then(log('reaction in p.stat'));
    setImmediate(log('immediate in p.stat'));
  });
  fs.stat(__filename, log('stat'));
  fs.readFile(__filename, log('readFile'));
  p.access('nothing').catch(function (error) { console.log('p.access', error.code, error.message); });
  p.readFile('nothing').then(log('never'), function (error) { console.log('p.readFile', error.code, error.syscall); });
  p.open(__filename, 'r').then(function (handle) {
    console.log('p.open');
    return handle.readFile('utf8').then(function (text) {
      console.log('handle.readFile', text.length > 100);
      return handle.close();
    });
  }).then(log('handle.close'));
  p.readdir('nothing').catch(log('p.readdir'));
  p.readFile(undefined).catch(function (error) { console.log('no path', error.code); });
  Promise.resolve().then(log('reaction')).then(log('second')).then(log('third')).then(log('fourth'));
  process.nextTick(log('tick'));
  setImmediate(log('immediate 1'));
  setImmediate(function () { setImmediate(log('immediate 2')); });
}
