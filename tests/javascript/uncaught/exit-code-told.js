// stdout only. What a listener of exit is told of an exception, and what process.exitCode is then.
process.on('exit', function (c) { console.log(c, process.exitCode); });
process.exitCode = 5;
setTimeout(function () { throw new Error('x'); }, 1);
