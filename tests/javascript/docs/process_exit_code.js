// process: which values exitCode takes.
process.on('exit', (code) => console.log('exit', code, process.exitCode));
process.exitCode = 3;
setTimeout(() => { process.exit(); }, 2);
