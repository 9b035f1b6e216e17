// A promise is rejected and nobody listens: does the program go on?

process.on('exit', (code) => console.log('exit ' + code));
setTimeout(() => console.log('timer'), 10);
Promise.reject(new Error('nobody listens'));
console.log('script end');
