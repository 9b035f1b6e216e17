// timers: arguments are handed on to the callback.
setTimeout((a, b, c) => console.log('timeout', a, b, c), 200, 'a', 2, { three: 3 });
setImmediate((...given) => console.log('immediate', given), 1, 2, 3);
let rounds = 0;
const interval = setInterval((text, object) => {
  console.log('interval', text, object.n++);
  if (++rounds === 3) clearInterval(interval);
}, 5, 'counts', { n: 0 });
