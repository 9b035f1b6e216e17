// events.once, events.on, and their signals.
'use strict';
const EventEmitter = require('events');
const { once, on, getEventListeners } = EventEmitter;
const e = new EventEmitter();
(async () => {
  process.nextTick(() => e.emit('a', 1, 2));
  console.log('once', await once(e, 'a'));
  console.log(e.listenerCount('a'), e.listenerCount('error'));
  setTimeout(() => e.emit('error', new Error('bad')), 1);
  try { await once(e, 'a'); } catch (error) { console.log('caught', error.message); }
  console.log(await Promise.all([once(e, 'error'), Promise.resolve().then(() => e.emit('error', 'x'))]));
  const ac = new AbortController();
  setTimeout(() => ac.abort('why'), 1);
  try { await once(e, 'a', { signal: ac.signal }); } catch (error) { console.log(error.name, error.code, error.message, error.cause); }
  try { await once(e, 'a', { signal: ac.signal }); } catch (error) { console.log(error.name, error.cause); }
  console.log(getEventListeners(ac.signal, 'abort').length, e.listenerCount('a'));
  setImmediate(() => { e.emit('b', 1); e.emit('b', 2); Promise.resolve().then(() => e.emit('b', 3)); });
  for await (const [value] of on(e, 'b')) {
    console.log('b', value);
    process.nextTick(() => console.log('tick after', value));
    if (value === 3) break;
  }
  console.log(e.listenerCount('b'), e.listenerCount('error'));
  const it = on(e, 'c', { close: ['end'] });
  e.emit('c', 'one');
  e.emit('end');
  console.log(await it.next(), await it.next());
  const ac2 = new AbortController();
  setTimeout(() => { e.emit('d', 4); ac2.abort(); }, 2);
  try {
    for await (const x of on(e, 'd', { signal: ac2.signal })) console.log('d', x);
  } catch (error) { console.log(error.name, error.message, error.cause.name); }
  const failing = on(e, 'f');
  const p = failing.next();
  e.emit('error', new Error('stop'));
  await p.catch((error) => console.log('it', error.message));
  console.log(await failing.next());
  const target = new EventTarget();
  setTimeout(() => target.dispatchEvent(new Event('g')), 1);
  const [event] = await once(target, 'g');
  console.log(event.type, event.target === target);
})();
