// An error in a microtask is reported, and the microtasks behind it run; one in a promise's reaction rejects a promise.
window.addEventListener('error', (event) => {
  console.log('error event', event.error.message);
  queueMicrotask(() => console.log('microtask of the error event'));
});
queueMicrotask(() => {
  console.log('microtask 1');
  throw new Error('of a microtask');
});
queueMicrotask(() => console.log('microtask 2'));
Promise.resolve()
  .then(() => {
    throw new Error('of a reaction');
  })
  .catch((error) => console.log('caught', error.message));
new MutationObserver(() => {
  console.log('observer');
  throw new Error('of an observer');
}).observe(document.body, { attributes: true });
document.body.title = 'changed';
queueMicrotask(() => console.log('microtask 3'));
