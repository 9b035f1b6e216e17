// since 24. What [Symbol.dispose]() throws where it stands for [Symbol.asyncDispose]() is a rejection that is waited for.
const log = console.log;
const ticks = (name, n) => { let p = Promise.resolve(); for (let i = 1; i <= n; i++) p = p.then(() => log(name, i)); };
async function run(name, make) {
  log(name);
  try {
    {
      await using a = { async [Symbol.asyncDispose]() { log(name, 'a') } };
      await using b = make();
      ticks(name, 0);
    }
  } catch (e) { log(name, 'caught', e.name, e.message, e.error?.message, e.suppressed?.message); }
  log(name, 'end');
}
await run('sync', () => ({ [Symbol.dispose]() { ticks('sync', 5); } }));
await run('sync throws', () => ({ [Symbol.dispose]() { ticks('sync throws', 5); throw new Error('x'); } }));
await run('sync promise', () => ({ [Symbol.dispose]() { ticks('sync promise', 5); return Promise.resolve(1); } }));
await run('async', () => ({ [Symbol.asyncDispose]() { ticks('async', 5); } }));
await run('async throws', () => ({ [Symbol.asyncDispose]() { ticks('async throws', 5); throw new Error('x'); } }));
await run('async rejects', () => ({ async [Symbol.asyncDispose]() { ticks('async rejects', 5); throw new Error('x'); } }));
async function two(name) {
  try {
    await using b = { [Symbol.dispose]() { ticks(name, 5); throw new Error('y'); } };
    throw new Error('body');
  } catch (e) { log(name, 'caught', e.name, e.message, e.error?.message, e.suppressed?.message); }
}
await two('two');
