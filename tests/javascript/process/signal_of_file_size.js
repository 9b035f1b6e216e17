// stdout only
// SIGXFSZ without a listener: Node ignores it since 12.
setTimeout(function () { console.log('still there'); }, 20);
console.log(process.kill(process.pid, 'SIGXFSZ'));
