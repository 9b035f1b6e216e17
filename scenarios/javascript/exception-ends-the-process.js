// A tick throws and nobody listens: what still runs?

process.on('exit', (code) => console.log('exit ' + code));
setTimeout(() => console.log('timer'), 0);
Promise.resolve().then(() => console.log('promise'));
process.nextTick(() => { console.log('tick'); throw new Error('from a tick'); });
process.nextTick(() => console.log('another tick'));
console.log('script end');
