// BroadcastChannel: every other one of the same name gets its own copy.
'use strict';
const { receiveMessageOnPort, MessageChannel } = require('worker_threads');
const [a, b, c, other] = ['x', 'x', 'x', 'y'].map((name) => new BroadcastChannel(name));
const sent = { list: [1, 2] };
for (const [name, channel] of Object.entries({ a, b, c, other })) {
  channel.onmessage = ({ data }) => {
    console.log(name, data, data === sent);
    if (name === 'c') for (const each of [a, b, c, other]) each.close();
  };
}
a.postMessage(sent);
console.log(a.name);
try { c.postMessage(() => {}); } catch (e) { console.log(e.name, e.message); }
const { port1, port2 } = new MessageChannel();
port1.postMessage({ hello: 'world' });
console.log(receiveMessageOnPort(port2), receiveMessageOnPort(port2));
const third = new MessageChannel();
third.port1.postMessage({ port: port1 }, [port1]);
third.port2.on('message', ({ port }) => {
  port.on('message', (x) => { console.log('moved', x); port.close(); third.port2.close(); });
  port2.postMessage('through the moved port');
});
