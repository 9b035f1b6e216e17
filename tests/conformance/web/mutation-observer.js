// A mutation observer: one delivery, by a microtask, of all records; takeRecords() takes them away, disconnect() forgets them.
// html: <div id="outer"><div id="inner"></div></div>
const outer = document.getElementById('outer');
const inner = document.getElementById('inner');
const tell = (name) => (records) =>
  console.log(name, records.map(({ type, target, attributeName, oldValue, addedNodes, removedNodes }) =>
    `${type} ${target.id} ${attributeName} ${oldValue} +${addedNodes.length} -${removedNodes.length}`).join(', '));
const first = new MutationObserver(tell('first'));
const second = new MutationObserver(tell('second'));
first.observe(outer, { attributes: true, attributeOldValue: true, childList: true, subtree: true });
second.observe(inner, { attributes: true });
Promise.resolve().then(() => console.log('promise before'));
inner.setAttribute('title', 'a');
inner.setAttribute('title', 'b');
Promise.resolve().then(() => console.log('promise after'));
outer.append(document.createElement('p'));
inner.remove();
inner.setAttribute('title', 'c');
setTimeout(() => {
  outer.setAttribute('lang', 'en');
  console.log('taken', first.takeRecords().length);
  outer.setAttribute('lang', 'zh');
  first.disconnect();
  outer.setAttribute('lang', 'fr');
  queueMicrotask(() => console.log('nothing was delivered'));
}, 30);
