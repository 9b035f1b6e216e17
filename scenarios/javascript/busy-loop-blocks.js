// A loop waits for 50 ms with `Date.now()`: can a timer of 10 ms interrupt it?

const begin = Date.now();
setTimeout(() => console.log('timer of 20 ms,', Date.now() - begin >= 50 ? 'late' : 'in time'), 20);
setTimeout(() => console.log('timer of 10 ms,', Date.now() - begin >= 50 ? 'late' : 'in time'), 10);
Promise.resolve().then(() => console.log('a promise that was ready at once'));
while (Date.now() - begin < 50);
console.log('the loop is over');
