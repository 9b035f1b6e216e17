// A promise resolved with a value, with a thenable, and with a promise: who is first?

const thenable = { then(resolve) { console.log('then is called'); resolve('thenable'); } };

new Promise((resolve) => resolve(Promise.resolve('promise'))).then(console.log);
new Promise((resolve) => resolve(thenable)).then(console.log);
new Promise((resolve) => resolve('value')).then(console.log);
console.log('script');
