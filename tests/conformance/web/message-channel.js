// Messages between ports: one task for each, in the order of their posting, with microtasks between; a port that gets no onmessage has to
// be started.
const { port1, port2 } = new MessageChannel();
port2.onmessage = ({ data }) => {
  console.log('message', data);
  queueMicrotask(() => console.log('microtask of message', data));
  if (data === 2) port1.postMessage(4);
};
queueMicrotask(() => console.log('microtask of the script'));
port1.postMessage(1);
port1.postMessage(2);
port1.postMessage(3);
Promise.resolve().then(() => console.log('promise of the script'));
const other = new MessageChannel();
other.port2.addEventListener('message', ({ data }) => console.log('started', data));
other.port1.postMessage('held');
setTimeout(() => {
  console.log('start');
  other.port2.start();
}, 40);
setTimeout(() => {
  other.port2.close();
  other.port1.postMessage('lost');
}, 80);
