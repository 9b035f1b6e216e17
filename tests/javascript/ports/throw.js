// An exception of a listener, and an endless exchange beside a timer and immediates.
'use strict';
process.on('uncaughtException', (error) => console.log('uncaught', error.message));
const { port1, port2 } = new MessageChannel();
port2.on('message', (n) => {
  console.log('got', n);
  process.nextTick(() => console.log('tick', n));
  if (n === 2) throw new Error('two');
  if (n === 4) port2.close();
});
for (let n = 1; n <= 4; n++) port1.postMessage(n);
const ping = new MessageChannel();
let count = 0;
ping.port1.on('message', () => { if (++count < 5) { console.log('ping', count); ping.port2.postMessage(0); } else ping.port1.close(); });
ping.port2.postMessage(0);
setImmediate(function again() { console.log('immediate'); if (count < 5) setImmediate(again); });
