// `process.exitCode = 2`, then a timer: does the timer run, and what is the code?

process.exitCode = 2;
setTimeout(() => console.log('timer'), 5);
process.on('exit', (code) => console.log('exit', code));
