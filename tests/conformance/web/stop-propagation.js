// stopPropagation() lets the other listeners of the same target run, stopImmediatePropagation() does not.
// html: <div id="outer"><div id="inner"></div></div>
const outer = document.getElementById('outer');
const inner = document.getElementById('inner');
outer.addEventListener('a', () => console.log('a at outer'));
inner.addEventListener('a', (event) => {
  console.log('a 1');
  event.stopPropagation();
  console.log('cancelBubble', event.cancelBubble);
});
inner.addEventListener('a', () => console.log('a 2'));
inner.dispatchEvent(new Event('a', { bubbles: true }));
inner.addEventListener('b', (event) => {
  console.log('b 1');
  event.stopImmediatePropagation();
});
inner.addEventListener('b', () => console.log('b 2'));
outer.addEventListener('b', () => console.log('b at outer'));
inner.dispatchEvent(new Event('b', { bubbles: true }));
outer.addEventListener('c', (event) => {
  console.log('c captured');
  event.stopPropagation();
}, true);
inner.addEventListener('c', () => console.log('c at inner'));
console.log(inner.dispatchEvent(new Event('c', { bubbles: true })));
