// html: <div id="inner"></div>
// What stopPropagation() has stopped is forgotten when the event has been dispatched, says the standard; Chrome does not forget it where
// the target stands alone.
const inner = document.getElementById('inner');
const target = new EventTarget();
const event = new Event('ping', { bubbles: true });
target.addEventListener('ping', (one) => { console.log('target', one.eventPhase); one.stopPropagation(); });
inner.addEventListener('ping', () => console.log('inner'));
document.addEventListener('ping', (one) => { console.log('document'); one.stopPropagation(); }, true);
console.log(target.dispatchEvent(event), event.cancelBubble);
console.log(inner.dispatchEvent(event), event.cancelBubble);
console.log(target.dispatchEvent(event), event.cancelBubble);
const other = new Event('ping', { bubbles: true });
console.log(inner.dispatchEvent(other), other.cancelBubble);
console.log(target.dispatchEvent(other), other.cancelBubble);
console.log(inner.dispatchEvent(other), other.cancelBubble);
const now = new Event('now');
target.addEventListener('now', (one) => { console.log('now'); one.stopImmediatePropagation(); });
target.addEventListener('now', () => console.log('never'));
target.dispatchEvent(now);
target.dispatchEvent(now);
inner.addEventListener('now', () => console.log('now at inner'));
inner.dispatchEvent(now);
