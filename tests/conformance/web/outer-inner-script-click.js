// A script calls click() on the inner one of two boxes: no microtask runs between the listeners, for the script is on the stack.
// The example is that of Jake Archibald's article "Tasks, microtasks, queues and schedules".
// html: <div id="outer"><div id="inner"></div></div>
const outer = document.getElementById('outer');
const inner = document.getElementById('inner');
new MutationObserver(() => console.log('mutate')).observe(outer, { attributes: true });
function onClick() {
  console.log('click');
  setTimeout(() => console.log('timeout'), 0);
  Promise.resolve().then(() => console.log('promise'));
  outer.setAttribute('data-random', String(outer.attributes.length));
}
inner.addEventListener('click', onClick);
outer.addEventListener('click', onClick);
inner.click();
console.log('script ends');
