// process: hrtime with a difference, and hrtime.bigint.
const start = process.hrtime();
const big = process.hrtime.bigint();
setTimeout(() => {
  const [seconds, nanoseconds] = process.hrtime(start);
  console.log(seconds, nanoseconds >= 9e6, typeof big, process.hrtime.bigint() - big >= 9000000n);
  try { process.hrtime('x'); } catch (error) { console.log(error.code, error.message); }
  try { process.hrtime([1]); } catch (error) { console.log(error.code, error.message); }
}, 10);
