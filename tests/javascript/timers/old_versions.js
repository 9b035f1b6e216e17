// stdout only
// What no function is, timers that are cleared by the other function, and values that are no timers, as each version has them.
'use strict';
process.on('uncaughtException', function (error) { console.log('uncaught', String(error)); });
function tell(name, run) {
  try { console.log(name, typeof run()); } catch (error) { console.log(name, String(error), error.code); }
}
[5, 'text', null, {}].forEach(function (value) {
  tell('setTimeout', function () { return setTimeout(value, 20); });
  tell('setTimeout of arguments', function () { return setTimeout(value, 20, 2); });
  tell('setImmediate', function () { return setImmediate(value); });
  tell('nextTick', function () { return process.nextTick(value); });
});
const timeout = setTimeout(function () { console.log('a timeout, cleared by clearInterval()'); }, 20);
clearInterval(timeout);
const interval = setInterval(function () { console.log('an interval, cleared by clearTimeout()'); }, 20);
clearTimeout(interval);
[undefined, null, 0, 1, '', 'x', true, {}].forEach(function (value) {
  tell('clearTimeout', function () { return clearTimeout(value); });
  tell('clearInterval', function () { return clearInterval(value); });
});
// The last call: what is true and no immediate spoils Node's count of immediates.
tell('clearImmediate', function () { return clearImmediate(0); });
setTimeout(function () {
  tell('clearImmediate', function () { return clearImmediate('x'); });
  process.exit();
}, 60);
