// Messages between ports of one process: the turns in which they arrive, ticks and microtasks between them.
'use strict';
const { port1, port2 } = new MessageChannel();
port2.onmessage = ({ data, target, type, ports }) => {
  console.log('port2', data, type, target === port2, ports.length);
  process.nextTick(() => console.log('tick after', data));
  Promise.resolve().then(() => console.log('micro after', data));
  if (data === 3) port2.postMessage('four');
};
port1.on('message', (value) => {
  console.log('port1', value);
  setImmediate(() => console.log('immediate'));
  setTimeout(() => { console.log('closing'); port1.close(() => console.log('close callback')); }, 5);
});
port1.on('close', () => console.log('port1 closed'));
port2.on('close', () => console.log('port2 closed'));
port1.postMessage(1);
port1.postMessage(2);
process.nextTick(() => { console.log('tick'); port1.postMessage(3); });
setImmediate(() => console.log('first immediate'));
queueMicrotask(() => console.log('micro'));
console.log('main', port1.hasRef(), port2.hasRef());
