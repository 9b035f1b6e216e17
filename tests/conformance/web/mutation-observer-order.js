// Mutation observers are called in the order in which they were made, by the one microtask that the first change has queued; what they
// change themselves is delivered by another.
// html: <div id="outer"><div id="inner"></div></div>
const outer = document.getElementById('outer');
const inner = document.getElementById('inner');
const first = new MutationObserver((records) => {
  console.log('first', records.length);
  queueMicrotask(() => console.log('microtask of the first'));
  if (outer.title === '') outer.title = 'changed by an observer';
});
const second = new MutationObserver((records) => console.log('second', records.length));
second.observe(inner, { attributes: true });
first.observe(inner, { attributes: true });
first.observe(outer, { attributes: true });
queueMicrotask(() => {
  console.log('microtask before');
  inner.lang = 'en';
});
inner.title = 'a';
queueMicrotask(() => console.log('microtask after'));
