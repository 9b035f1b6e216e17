// When unhandledrejection comes: after all microtasks; against a timer and a message that were asked for before, the standard leaves it
// open.
window.addEventListener('unhandledrejection', (event) => {
  console.log('unhandledrejection', event.reason);
  event.preventDefault();
});
const { port1, port2 } = new MessageChannel();
port2.onmessage = () => console.log('message');
setTimeout(() => {
  setTimeout(() => console.log('timer set before'), 0);
  Promise.reject('with a timer');
  setTimeout(() => console.log('timer set after'), 0);
  queueMicrotask(() => queueMicrotask(() => console.log('microtask')));
}, 40);
setTimeout(() => {
  port1.postMessage(null);
  Promise.reject('with a message');
  queueMicrotask(() => console.log('microtask'));
}, 80);
