// Messages of a window to itself are tasks; their data are a copy.
const data = { n: 1 };
window.addEventListener('message', (event) => {
  console.log('message', event.data.n, event.data === data, event.source === window, event.origin === location.origin);
  Promise.resolve().then(() => console.log('microtask', event.data.n));
});
window.postMessage(data, '*');
data.n = 2;
window.postMessage(data, location.origin);
window.postMessage({ n: 3 });
console.log('script ends');
