// `AbortSignal.timeout(20)`: does it keep the process alive?
// Needs Node 18.

const short = AbortSignal.timeout(20);
const long = AbortSignal.timeout(200);
short.addEventListener('abort', () => console.log('short:', short.reason.name));
long.addEventListener('abort', () => console.log('long:', long.reason.name));
setTimeout(() => console.log('timer of 30 ms'), 30);
