// process: listeners of exit can do nothing asynchronous.
process.on('exit', (code) => {
  setTimeout(() => console.log('This will not run'), 0);
  console.log('About to exit with code:', code);
  process.exitCode = 7;
});
