// Tasks of several sources that a task asks for: the standard leaves their order open but for the priorities of postTask(); both browsers
// take them as they come, between blocking tasks first and background tasks last.
const { port1, port2 } = new MessageChannel();
port2.onmessage = () => console.log('message');
window.onmessage = () => console.log('message to the window');
setTimeout(() => {
  scheduler.postTask(() => console.log('background'), { priority: 'background' });
  setTimeout(() => console.log('timer'), 0);
  scheduler.postTask(() => console.log('user-visible'));
  port1.postMessage(null);
  window.postMessage(null);
  scheduler.postTask(() => console.log('user-blocking'), { priority: 'user-blocking' });
  queueMicrotask(() => console.log('microtask'));
}, 50);
setTimeout(() => {
  window.postMessage(null);
  port1.postMessage(null);
  scheduler.postTask(() => console.log('user-visible'));
  setTimeout(() => console.log('timer'), 0);
  (async () => {
    await scheduler.yield();
    console.log('after a yield');
  })();
}, 100);
