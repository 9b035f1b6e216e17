// `return promise` or `return await promise` in an async function: which is first?
// Needs Node 8.

const ready = Promise.resolve();

async function returns() { return ready; }
async function awaits() { return await ready; }

returns().then(() => console.log('return promise'));
awaits().then(() => console.log('return await promise'));
ready.then(() => console.log(1)).then(() => console.log(2)).then(() => console.log(3)).then(() => console.log(4));
