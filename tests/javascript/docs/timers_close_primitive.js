// timers: close() ends a timer; a timer as a number can clear it.
const closed = setTimeout(() => console.log('closed'), 5);
console.log(closed.close() === closed);
const number = +setTimeout(() => console.log('cleared by its number'), 5);
console.log(typeof number);
clearTimeout(number);
clearTimeout(String(+setTimeout(() => console.log('cleared by a text'), 5)));
clearTimeout(undefined);
clearTimeout({});
clearInterval(setTimeout(() => console.log('cleared as an interval'), 5));
setTimeout(() => console.log('end'), 10);
