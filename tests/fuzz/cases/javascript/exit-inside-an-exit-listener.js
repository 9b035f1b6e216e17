// `process.exit()` in the middle: which of ticks, promises, `finally` and `exit` listeners still run?

try { process.setMaxListeners(Infinity); } catch {}
process.on('exit', (code) => {
  console.log('exit ' + code);
  setTimeout(() => console.log('a timer of the exit listener'), 0);
  process.nextTick(() => console.log('a tick of the exit listener'));
  process.exit(3);
});
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
try {
  console.log('in try');
  process.exit(3);
} finally {
  console.log('finally');
}
