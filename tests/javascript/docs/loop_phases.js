// The event loop guide: timers, poll and check, seen from inside an I/O callback.
const fs = require('fs');
fs.access(__filename, () => {
  setTimeout(() => {
    console.log('timers');
    process.nextTick(() => console.log('tick after timers'));
  }, 0);
  setImmediate(() => {
    console.log('check');
    process.nextTick(() => console.log('tick after check'));
  });
  process.nextTick(() => console.log('tick after poll'));
});
