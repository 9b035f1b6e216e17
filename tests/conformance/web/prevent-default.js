// dispatchEvent() returns false if a listener has called preventDefault() of a cancelable event, and is not passive.
const target = new EventTarget();
target.addEventListener('ping', (event) => {
  event.preventDefault();
  console.log('prevented', event.defaultPrevented, event.cancelable);
});
console.log(target.dispatchEvent(new Event('ping', { cancelable: true })));
console.log(target.dispatchEvent(new Event('ping')));
const passive = new EventTarget();
passive.addEventListener('ping', (event) => event.preventDefault(), { passive: true });
console.log(passive.dispatchEvent(new CustomEvent('ping', { cancelable: true, detail: 1 })));
const event = new Event('again', { cancelable: true });
target.addEventListener('again', () => {
  try {
    target.dispatchEvent(event);
  } catch (error) {
    console.log(error.name);
  }
});
console.log(target.dispatchEvent(event));
