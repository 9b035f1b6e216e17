// events: on() collects events, and a signal ends it.
const { on, EventEmitter } = require('node:events');
const ac = new AbortController();
(async () => {
  const ee = new EventEmitter();
  process.nextTick(() => { ee.emit('foo', 'bar'); ee.emit('foo', 42); });
  setTimeout(() => ac.abort(), 5);
  try {
    for await (const event of on(ee, 'foo', { signal: ac.signal })) console.log(event);
  } catch (error) { console.log(error.name, ee.listenerCount('foo')); }
})();
