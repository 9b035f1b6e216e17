// An error in a listener is reported at once, the other listeners are called, and dispatchEvent() returns as if nothing had been.
// html: <div id="outer"><div id="inner"></div></div>
const inner = document.getElementById('inner');
window.addEventListener('error', (event) => console.log('error event', event.error.message));
inner.addEventListener('ping', () => {
  queueMicrotask(() => console.log('microtask'));
  console.log('listener 1');
  throw new Error('of listener 1');
});
inner.addEventListener('ping', () => console.log('listener 2'));
document.getElementById('outer').addEventListener('ping', () => {
  throw new Error('of the outer one');
});
const returned = inner.dispatchEvent(new Event('ping', { bubbles: true }));
console.log('dispatchEvent() has returned', returned);
