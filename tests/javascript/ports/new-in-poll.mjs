// Ports that are made in poll, as an ES module of Node 12 to 20 makes them, hear of their messages in the next poll: immediates run first.
import { MessageChannel } from 'worker_threads';

const { port1, port2 } = new MessageChannel();
port1.once('message', (message) => { console.log('message', message); again(); });
port2.postMessage(1);
setImmediate(() => console.log('immediate'));

function again() {
  const made = new MessageChannel();
  made.port1.once('message', (message) => { console.log('message', message); made.port1.close(); port1.close(); });
  made.port2.postMessage(2);
  setImmediate(() => console.log('immediate of a message'));
}
