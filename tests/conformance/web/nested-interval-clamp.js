// An interval of 0 ms: each repetition is one level deeper, and waits for 4 ms from some level on. Told is, of the median of several waits
// for each repetition, whether it was one of these; some are shorter, for an interval of Chromium makes up for lateness.
// quiet: 600
const kRepetitions = 8;
const kIntervals = 7;
const waits = Array.from({ length: kRepetitions }, () => []);
function begin(left) {
  if (left === 0) {
    waits.forEach((all, index) => {
      const median = all.sort((a, b) => a - b)[(kIntervals - 1) / 2];
      console.log(`repetition ${index + 1}: clamped ${median > 2.5}`);
    });
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = () => {
    port2.close();
    repeat(left);
  };
  port1.postMessage(null);
}
function repeat(left) {
  let count = 0;
  let last = performance.now();
  const interval = setInterval(() => {
    const now = performance.now();
    waits[count].push(now - last);
    last = now;
    if (++count < kRepetitions) return;
    clearInterval(interval);
    begin(left - 1);
  }, 0);
}
begin(kIntervals);
