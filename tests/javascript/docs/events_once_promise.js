// events: once() as a promise, with an error and with a signal.
const { once, EventEmitter } = require('node:events');
async function run() {
  const ee = new EventEmitter();
  process.nextTick(() => ee.emit('myevent', 42));
  const [value] = await once(ee, 'myevent');
  console.log(value);
  process.nextTick(() => ee.emit('error', new Error('kaboom')));
  try { await once(ee, 'myevent'); } catch (error) { console.log('error happened', error.message); }
  const ac = new AbortController();
  process.nextTick(() => ac.abort());
  try { await once(ee, 'foo', { signal: ac.signal }); } catch (error) { console.log(error.name); }
}
run();
