// Two timers are due together, and the first clears the second: does it run?

setTimeout(() => { console.log('first timer'); clearTimeout(second); }, 5);
const second = setTimeout(() => console.log('second timer'), 5);
setImmediate(() => { console.log('first immediate'); clearImmediate(other); });
const other = setImmediate(() => console.log('second immediate'));
