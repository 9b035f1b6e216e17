// process.exit() in a timer, whose exit listener throws, and somebody takes the exception: in Node 4 to 8 the timers of the same list wait
// for a tick, which an exiting process does not take.
'use strict';
setTimeout(function () {
  var interval = setInterval(function () { console.log('interval'); clearInterval(interval); }, 10);
}, 10);
setTimeout(function () { console.log('exit'); process.exit(); }, 10);
setTimeout(function () { console.log('same list'); }, 10);
setTimeout(function () { console.log('longer list'); }, 60);
process.on('uncaughtException', function (error) { console.log(error.message); });
process.on('exit', function (code) { console.log('exiting', code); throw new Error('thrown while exiting'); });
