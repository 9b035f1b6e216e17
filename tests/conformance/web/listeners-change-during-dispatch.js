// A listener that is added while its target's listeners are called is not called this time, one that is removed is not called any more; at
// a target that the event has not reached yet both count.
// html: <div id="outer"><div id="inner"></div></div>
const outer = document.getElementById('outer');
const inner = document.getElementById('inner');
const added = () => console.log('added');
const removed = () => console.log('removed');
const above = () => console.log('added above');
inner.addEventListener('ping', () => {
  console.log('first');
  inner.addEventListener('ping', added);
  inner.removeEventListener('ping', removed);
  outer.addEventListener('ping', above);
});
inner.addEventListener('ping', removed);
inner.addEventListener('ping', () => console.log('last'));
inner.dispatchEvent(new Event('ping', { bubbles: true }));
console.log('again');
inner.dispatchEvent(new Event('ping', { bubbles: true }));
const twice = () => console.log('added twice, called once');
inner.addEventListener('pong', twice);
inner.addEventListener('pong', twice);
inner.addEventListener('pong', twice, true);
inner.removeEventListener('pong', twice, true);
inner.dispatchEvent(new Event('pong'));
