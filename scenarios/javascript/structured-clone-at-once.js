// A message is changed after `postMessage`: what does the other side see?
// Needs Node 18.

const { port1, port2 } = new MessageChannel();
const message = { text: 'before', list: [1, 2] };

port2.on('message', (value) => { console.log(value); port2.close(); });
port1.postMessage(message);
message.text = 'after';
message.list.push(3);
try { port1.postMessage(() => {}); } catch (error) { console.log(error.name); }
console.log(structuredClone(message).text);
