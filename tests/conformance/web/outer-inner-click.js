// A user clicks the inner one of two boxes: microtasks run between the listeners, for no script is on the stack.
// The example is that of Jake Archibald's article "Tasks, microtasks, queues and schedules".
// html: <div id="outer"><div id="inner"></div></div>
// input: {"at": 40, "click": "#inner"}
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
