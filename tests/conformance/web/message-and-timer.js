// A message and a timer of 0 ms are of different task sources: the standard leaves their order open.
const { port1, port2 } = new MessageChannel();
port2.onmessage = ({ data }) => console.log(data);
setTimeout(() => {
  setTimeout(() => console.log('A: timer set first'), 0);
  port1.postMessage('A: message posted second');
}, 30);
setTimeout(() => {
  port1.postMessage('B: message posted first');
  setTimeout(() => console.log('B: timer set second'), 0);
}, 60);
