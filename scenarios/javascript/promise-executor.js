// Does the function given to `new Promise` run later, and what does a second `resolve` do?

console.log('before');
const promise = new Promise((resolve, reject) => {
  console.log('executor');
  resolve('first');
  resolve('second');
  reject(new Error('third'));
  console.log('after resolve');
  throw new Error('lost');
});
promise.then((value) => console.log(value), (error) => console.log(error.message));
console.log('after');
