// virtual clock, stdout only, since 12. Ports that are made in the loop's own round of them come before those that it has not had.
const { MessageChannel } = require('worker_threads');
{
const fs = require('fs');
const a = new MessageChannel(); a.port1.on('message', () => { console.log('a'); a.port1.close(); });
setTimeout(() => fs.access('.', () => {
  const b = new MessageChannel(); b.port1.on('message', () => { console.log('b'); b.port1.close(); });
  setImmediate(() => { a.port2.postMessage(1); b.port2.postMessage(1); });
}), 5);
}
setTimeout(() => {
const a = new MessageChannel(), b = new MessageChannel();
a.port1.on('message', m => { console.log('a', m); if (m === 1) { const n = new MessageChannel(); n.port1.on('message', () => { console.log('n'); n.port1.close(); }); setImmediate(() => { b.port2.postMessage(2); n.port2.postMessage(1); a.port2.postMessage(2); }); } else a.port1.close(); });
b.port1.on('message', m => { console.log('b', m); if (m === 2) b.port1.close(); });
a.port2.postMessage(1); b.port2.postMessage(1);
}, 50);
