// unhandledrejection is an event of a task of its own, for all promises that have no handler when the microtasks are over; a handler that
// comes later gives rejectionhandled.
window.addEventListener('unhandledrejection', (event) => {
  console.log('unhandledrejection', event.reason.message);
  queueMicrotask(() => console.log('microtask of', event.reason.message));
  if (event.reason.message === 'prevented') event.preventDefault();
});
window.addEventListener('rejectionhandled', (event) => console.log('rejectionhandled', event.reason.message));
const late = Promise.reject(new Error('late'));
Promise.reject(new Error('prevented'));
const caught = Promise.reject(new Error('caught in time'));
queueMicrotask(() => caught.catch(() => console.log('caught by a microtask')));
console.log('script ends');
setTimeout(() => {
  late.catch(() => console.log('caught late'));
  console.log('timer ends');
}, 50);
