// A port that a listener has closed still gives what had come before.
'use strict';

const { MessageChannel } = require('worker_threads');
const run = (name, listen) => {
  const { port1, port2 } = new MessageChannel();
  port2.on('close', () => console.log(name, 'closed'));
  for (const i of [1, 2, 3]) port1.postMessage(i);
  listen((...args) => console.log(name, ...args), port1, port2);
};
run('once', (say, a, b) => b.once('message', function (m) { say(m); this.close(); }));
run('on', (say, a, b) => b.on('message', function (m) { say(m); this.close(); }));
run('once and on', (say, a, b) => {
  b.once('message', function (m) { say('once', m); this.close(); });
  b.on('message', (m) => say('on', m));
});
run('twice once', (say, a, b) => {
  b.once('message', function (m) { say('first', m); this.close(); });
  b.once('message', (m) => say('second', m));
});
run('later', (say, a, b) => b.once('message', function (m) {
  say('once', m);
  this.close();
  b.on('message', (later) => say('later', later));
}));
run('onmessage', (say, a, b) => { b.onmessage = function (m) { say(m.data); this.close(); }; });
run('other end', (say, a, b) => b.on('message', (m) => { say(m); a.close(); }));
run('throws', (say, a, b) => b.on('message', (m) => { say(m); b.close(); throw new Error('thrown'); }));
process.on('uncaughtException', (e) => console.log(e.message));
