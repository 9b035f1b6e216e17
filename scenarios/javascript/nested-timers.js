// A timer of 0 ms in a timer of 0 ms, and an immediate: who is first?

setTimeout(() => {
  console.log('outer timer');
  setTimeout(() => console.log('inner timer'), 0);
  setImmediate(() => console.log('inner immediate'));
  process.nextTick(() => console.log('inner tick'));
}, 1);
setTimeout(() => console.log('timer of the same length'), 1);
