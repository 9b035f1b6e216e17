// A top-level `await` of a promise that nobody resolves: does the process hang?
// Needs Node 16.

process.on('exit', () => console.log('exit'));
console.log('start');
await new Promise(() => {});
console.log('never');
