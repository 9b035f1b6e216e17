// timers: what is no function is an error at once.
for (const make of [setTimeout, setInterval, setImmediate, process.nextTick, queueMicrotask]) {
  for (const wrong of [undefined, null, 'code', {}]) {
    try { make(wrong); } catch (error) { console.log(error.name, error.code, error.message); }
  }
}
