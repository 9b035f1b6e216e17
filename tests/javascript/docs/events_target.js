// EventTarget: listeners, once, handleEvent, cancelled events.
const target = new EventTarget();
target.addEventListener('foo', (event) => console.log(event.type, event.target === target, event.cancelable));
target.addEventListener('foo', { handleEvent(event) { console.log('handleEvent', event.type); } });
target.addEventListener('foo', () => console.log('once'), { once: true });
target.addEventListener('foo', (event) => event.preventDefault());
console.log(target.dispatchEvent(new Event('foo', { cancelable: true })));
console.log(target.dispatchEvent(new Event('foo')));
