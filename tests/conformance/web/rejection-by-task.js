// Promises that are rejected in tasks: each task's are told of after its microtasks, in the order of their rejection.
const handle = (event) => {
  console.log('unhandledrejection', event.reason);
  event.preventDefault();
  return false;
};
window.onunhandledrejection = handle;
window.onrejectionhandled = ({ reason }) => console.log('rejectionhandled', reason);
setTimeout(() => {
  const { promise, reject } = Promise.withResolvers();
  promise.then(() => {});
  queueMicrotask(() => reject('of a microtask'));
  Promise.reject('of the task');
  promise.finally(() => console.log('finally'));
}, 20);
setTimeout(() => {
  const rejected = Promise.reject('handled by the listener');
  window.addEventListener('unhandledrejection', () => rejected.catch(() => console.log('handled')), { once: true });
}, 60);
setTimeout(() => {
  Promise.all([Promise.reject('all 1'), Promise.reject('all 2')]);
  (async () => {
    await null;
    throw 'of an async function';
  })();
}, 100);
