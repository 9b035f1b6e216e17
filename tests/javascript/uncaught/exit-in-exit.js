// stdout only. process.exit() in a listener of exit, after an exception.
process.on('exit', function (c) { console.log('exit', c, process.exitCode); process.exit(); });
setTimeout(function(){ throw new Error('x');}, 1);
