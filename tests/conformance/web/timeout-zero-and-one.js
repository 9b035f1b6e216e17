// Whether a timer of 1 ms that is set first runs before one of 0 ms: it does where 0 becomes 1.
setTimeout(() => console.log('1 ms'), 1);
setTimeout(() => console.log('0 ms'), 0);
setTimeout(() => {
  setTimeout(() => console.log('second 0 ms'), 0);
  setTimeout(() => console.log('then 1 ms'), 1);
  setTimeout(() => console.log('then -5 ms'), -5);
  setTimeout(() => console.log('then without delay'));
}, 30);
