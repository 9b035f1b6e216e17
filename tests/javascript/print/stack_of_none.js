// What is thrown has a stack, but is no error.
process.on('exit', function (code) { console.log('exit', code); });
setTimeout(function () { throw { stack: 'a text of its own', a: 1 }; }, 40);
setTimeout(function () { process.once('uncaughtException', function (error) { console.log(typeof error.stack); }); throw { stack: 5 }; }, 1);
