// process: exit from a microtask, nothing follows.
process.on('exit', (code) => console.log('exit', code));
Promise.resolve().then(() => { console.log('leaves'); process.exit(5); }).finally(() => console.log('never'));
setImmediate(() => console.log('never'));
