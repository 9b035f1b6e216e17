// What nothing catches ends its callback and no other: the event error, then the console's line, unless a listener prevents that.
window.addEventListener('error', (event) => {
  console.log('error event', event.error instanceof Error ? event.error.message : event.error);
  if (event.error === 'prevented') event.preventDefault();
});
window.onunhandledrejection = (event) => console.log('rejection event', String(event.reason));
setTimeout(() => {
  queueMicrotask(() => console.log('the microtask runs'));
  throw new TypeError('in a timer');
}, 0);
setTimeout(() => {
  throw 'prevented';
}, 20);
setTimeout(() => {
  throw 42;
}, 40);
setTimeout(() => {
  (async () => {
    throw new RangeError('in an async function');
  })();
}, 60);
setTimeout(() => missing(), 80);
setTimeout(() => reportError(new Error('reported')), 100);
throw new Error('in the script');
