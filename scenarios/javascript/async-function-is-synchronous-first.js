// Does the body of an async function run later?
// Needs Node 8.

async function noAwait() { console.log('no await'); }
async function oneAwait() { console.log('before await'); await undefined; console.log('after await'); }
async function fails() { console.log('fails'); throw new Error('a rejection'); }

console.log('start');
noAwait().then(() => console.log('then of noAwait'));
oneAwait();
fails().catch((error) => console.log(error.message));
console.log('end');
