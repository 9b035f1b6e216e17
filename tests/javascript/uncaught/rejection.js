// A rejection with an error: the place is where that was made.
'use strict';
async function work() {
  await null;
  throw new Error('from an async function');
}
process.on('exit', (code) => console.log('exit', code));
work();
setTimeout(() => console.log('not reached'), 1);
