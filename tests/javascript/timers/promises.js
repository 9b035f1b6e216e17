// timers/promises: order beside other callbacks, signals, ref, the iterator of setInterval.
'use strict';
const { setTimeout: wait, setImmediate: soon, setInterval: every, scheduler } = require('timers/promises');
const util = require('util');
console.log(util.promisify(setTimeout) === wait, util.promisify(setImmediate) === soon);
setTimeout(() => { console.log('timer 1'); process.nextTick(() => console.log('tick 1')); }, 10);
wait(10, 'value').then((v) => {
  console.log('promise', v);
  process.nextTick(() => console.log('tick p'));
}).then(() => console.log('then 2'));
setTimeout(() => { console.log('timer 2'); Promise.resolve().then(() => console.log('micro 2')); }, 10);
(async () => {
  console.log('immediate', await soon('i'));
  await scheduler.yield();
  console.log('yielded');
  await scheduler.wait(15);
  console.log('waited');
  const ac = new AbortController();
  const p = wait(1000, 'never', { signal: ac.signal });
  p.catch((e) => console.log('aborted', e.name, e.code, e.message, e.cause.name));
  queueMicrotask(() => console.log('m'));
  ac.abort();
  Promise.resolve().then(() => console.log(1)).then(() => console.log(2)).then(() => console.log(3)).then(() => console.log(4))
    .then(() => console.log(5)).then(() => console.log(6)).then(() => console.log(7)).then(() => console.log(8)).then(() => console.log(9));
  await p.catch(() => {});
  await wait(1, null, { signal: ac.signal }).catch((e) => console.log('already', e.name));
  await soon(null, { signal: ac.signal }).catch((e) => console.log('already', e.code));
  const good = new AbortController();
  const q = wait(2, 'fine', { signal: good.signal });
  setTimeout(() => {
    console.log('with it');
    Promise.resolve().then(() => console.log('a')).then(() => console.log('b')).then(() => console.log('c')).then(() => console.log('d'))
      .then(() => console.log('e')).then(() => console.log('f')).then(() => console.log('g')).then(() => console.log('h'));
  }, 2);
  console.log(await q);
  let n = 0;
  for await (const v of every(3, 'tock')) {
    console.log(v, ++n);
    if (n === 2) await wait(10);
    if (n === 5) break;
  }
  const stop = new AbortController();
  try {
    setTimeout(() => stop.abort(), 8);
    for await (const v of every(3, 'x', { signal: stop.signal })) console.log(v);
  } catch (e) { console.log(e.name, e.code); }
  const calls = [() => wait('x'), () => wait(1, 1, 5), () => wait(1, 1, { signal: 3 }), () => wait(1, 1, { ref: 3 }), () => soon(1, null)];
  for (const bad of calls) {
    await bad().then((v) => console.log('fine', v), (e) => console.log(e.name, e.code, e.message));
  }
  wait(100000, null, { ref: false }).then(() => console.log('never'));
  console.log('end');
})();
