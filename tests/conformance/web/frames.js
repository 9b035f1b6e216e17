// Animation frames: the callbacks of a frame get the same time, microtasks run between them, what is requested meanwhile is for the next
// frame, and a callback can be cancelled until it is called.
let first;
let cancelled;
requestAnimationFrame((time) => {
  first = time;
  console.log('frame 1, callback 1');
  queueMicrotask(() => console.log('microtask'));
  requestAnimationFrame((next) => console.log('frame 2', next > first));
  cancelAnimationFrame(cancelled);
});
requestAnimationFrame((time) => {
  console.log('frame 1, callback 2, same time', time === first);
  Promise.resolve().then(() => requestAnimationFrame(() => console.log('frame 2, asked by a microtask')));
});
cancelled = requestAnimationFrame(() => console.log('never'));
queueMicrotask(() => console.log('microtask of the script'));
setTimeout(() => console.log('timer after the frames'), 150);
