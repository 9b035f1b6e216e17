// The way of an event: capturing from the window down, the target's capturing listeners before its others, bubbling up; once; no bubbling
// without `bubbles`.
// html: <div id="outer"><div id="inner"></div></div>
const places = { window, document, outer: document.getElementById('outer'), inner: document.getElementById('inner') };
for (const [name, target] of Object.entries(places)) {
  for (const capture of [false, true]) {
    target.addEventListener('ping', ({ eventPhase }) => console.log(name, capture ? 'capture' : 'bubble', eventPhase), { capture });
  }
}
places.outer.addEventListener('ping', () => console.log('outer once'), { once: true });
for (const bubbles of [true, false]) {
  console.log('bubbles', bubbles);
  places.inner.dispatchEvent(new Event('ping', { bubbles }));
}
