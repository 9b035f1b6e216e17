// A time-out with `Promise.race`: when does the program end?

const answer = new Promise((resolve) => setTimeout(resolve, 10, 'the answer'));
const timeout = new Promise((resolve, reject) => {
  setTimeout(() => { console.log('the timer of the time-out'); reject(new Error('too late')); }, 50);
});
Promise.race([answer, timeout]).then((value) => console.log(value));
process.on('exit', () => console.log('exit'));
