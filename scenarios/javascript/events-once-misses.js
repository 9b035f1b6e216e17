// `await once(emitter, ...)` twice: does it hear two events that are emitted together?
// Needs Node 12.

const { EventEmitter, once } = require('events');
const emitter = new EventEmitter();

process.nextTick(() => {
  emitter.emit('event', 1);
  emitter.emit('event', 2);
  setTimeout(() => emitter.emit('event', 3), 5);
});
(async () => {
  const [first] = await once(emitter, 'event');
  console.log(first);
  const [second] = await once(emitter, 'event');
  console.log(second);
})();
