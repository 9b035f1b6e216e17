import('./modules/waits.mjs');
console.log('main');
await null;
for (const x of [1, 2]) { await Promise.resolve(x); }
async function f() { await new Promise(() => {}); }
const text = `await ${await 1}`;
const { a = await f() } = {};
