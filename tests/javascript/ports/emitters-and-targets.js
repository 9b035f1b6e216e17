// virtual clock, stdout only, since 12. Ports are emitters of Node 12, and targets later.
const { MessageChannel, MessagePort, receiveMessageOnPort } = require('worker_threads');
const EventEmitter = require('events');
const { port1: p, port2: q } = new MessageChannel();
console.log(p instanceof EventEmitter, p instanceof MessagePort, typeof p.hasRef, typeof p.onmessage, 'onmessageerror' in p);
console.log(typeof p.listenerCount, typeof p.addEventListener, typeof p.prependListener);
p.onmessage = () => {};
p.onmessage = null;
p.once('message', (v) => console.log('once', v));
q.postMessage('one');
setTimeout(() => {
  console.log('timer', receiveMessageOnPort && receiveMessageOnPort(p));
  p.onmessage = function (event) { console.log('set', event.data, event.target === p, this === p); };
  q.postMessage('two');
}, 10);
setTimeout(() => { p.on('close', () => console.log('closed p')); q.on('close', () => console.log('closed q')); p.close(() => console.log('close')); }, 20);
setTimeout(() => {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (m) => console.log('got', m));
  port2.close();
  port2.postMessage('after close');
}, 30);
setTimeout(() => {
  const { port1, port2 } = new MessageChannel();
  const hear = (m) => console.log('heard', m);
  port1.on('message', hear);
  port2.postMessage(1);
  setTimeout(() => { port1.removeListener('message', hear); port2.postMessage(2); }, 5);
  setTimeout(() => { port1.on('message', hear); }, 10);
  setTimeout(() => port1.close(), 15);
}, 50);
