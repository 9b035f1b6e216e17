// A callback computes past the time at which a timer is due, and queues tasks then: which comes first depends on when that timer
// takes its place among the tasks.
const channel = new MessageChannel();
channel.port1.onmessage = () => {
  console.log('message');
  channel.port1.close();
};
setTimeout(() => {
  const end = performance.now() + 25;
  while (performance.now() < end);
  setTimeout(() => console.log('0 ms'), 0);
  channel.port2.postMessage(1);
  console.log('busy until 35 ms');
}, 10);
setTimeout(() => console.log('20 ms'), 20);
setTimeout(() => console.log('31 ms'), 31);
setTimeout(() => console.log('25 ms'), 25);
