// The store of an AsyncLocalStorage follows timers, immediates, ticks, microtasks, promises, await, emitters.
'use strict';
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const EventEmitter = require('events');
const als = new AsyncLocalStorage();
const other = new AsyncLocalStorage();
const say = (what) => console.log(what, als.getStore(), other.getStore());
say('start');
als.run('A', () => {
  say('in run');
  setTimeout(say, 1, 'timeout');
  setTimeout(() => setImmediate(say, 'immediate'), 60);
  process.nextTick(say, 'tick');
  queueMicrotask(() => say('microtask'));
  Promise.resolve().then(() => say('then'));
  const i = setInterval(() => { say('interval'); clearInterval(i); }, 2);
  other.run('O', () => setTimeout(() => { say('both'); als.run('B', say, 'nested'); say('after nested'); }, 3));
  als.exit(() => { say('exit'); setTimeout(say, 3, 'exit timeout'); });
});
say('after run');
async function f(name) {
  await null;
  say(`${name} 1`);
  await new Promise((resolve) => setTimeout(resolve, 5));
  say(`${name} 2`);
  als.enterWith(`${name} entered`);
  await { then(resolve) { say(`${name} thenable`); resolve(); } };
  say(`${name} 3`);
  for await (const x of [1]) say(`${name} for await ${x}`);
  try { await Promise.reject(new Error()); } catch { say(`${name} catch`); }
  return name;
}
als.run('F', () => f('f').then(say));
als.run('G', () => f('g')).then(say);
const p = als.run('P', () => new Promise((resolve) => setTimeout(resolve, 4)));
p.then(() => say('then of main'));
als.run('Q', () => p.then(() => say('then in Q')).finally(() => say('finally in Q')));
als.run('R', async () => { await p; say('await in R'); });
const e = new EventEmitter();
als.run('listener added', () => e.on('x', () => say('emitter')));
als.run('emitted', () => e.emit('x'));
const bound = als.run('bound', () => AsyncLocalStorage.bind((x) => { say('bind'); return x * 2; }));
console.log(bound(4));
const snapshot = als.run('snap', () => AsyncLocalStorage.snapshot());
console.log(snapshot((x) => { say('snapshot'); return x; }, 5));
const resource = als.run('resource', () => new AsyncResource('R'));
console.log(resource.runInAsyncScope(function (x) { say('scope'); return [this.y, x]; }, { y: 1 }, 2));
try { als.run('T', () => { throw new Error('thrown'); }); } catch (error) { console.log(error.message); }
say('after throw');
als.run('D', () => { als.disable(); say('disabled'); });
als.enterWith('top');
setTimeout(say, 20, 'top timeout');
say('end');
