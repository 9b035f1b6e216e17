// Two listeners of one message: microtasks run between them, for the browser calls them with no script on the stack.
const { port1, port2 } = new MessageChannel();
port2.onmessage = ({ data }) => {
  console.log('onmessage', data);
  Promise.resolve().then(() => console.log('microtask 1'));
};
port2.addEventListener('message', ({ data }) => {
  console.log('listener', data);
  queueMicrotask(() => console.log('microtask 2'));
});
port1.postMessage('real');
setTimeout(() => {
  // Dispatched by a script, the same event finds a script on the stack.
  port2.dispatchEvent(new MessageEvent('message', { data: 'dispatched' }));
  console.log('dispatchEvent() has returned');
}, 40);
