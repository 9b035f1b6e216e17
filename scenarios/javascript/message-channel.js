// A message of a `MessageChannel`, a tick, a promise and a timer: in which order?
// Needs Node 16.

const { port1, port2 } = new MessageChannel();

port2.on('message', (value) => {
  console.log('message', value);
  if (value === 2) port2.close();
});
port1.postMessage(1);
port1.postMessage(2);
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
setTimeout(() => console.log('timer'), 20);
console.log('script end');
