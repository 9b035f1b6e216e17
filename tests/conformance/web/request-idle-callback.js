// Idle callbacks: in the order of their asking, with microtasks between; what they ask for comes in a later period; a timeout.
requestIdleCallback((deadline) => {
  console.log('idle 1', typeof deadline.timeRemaining(), deadline.timeRemaining() <= 50, deadline.didTimeout);
  Promise.resolve().then(() => console.log('microtask'));
  requestIdleCallback(() => console.log('idle 3, asked by idle 1'));
});
requestIdleCallback(({ didTimeout }) => console.log('idle 2', didTimeout));
const cancelled = requestIdleCallback(() => console.log('never'));
cancelIdleCallback(cancelled);
console.log('script ends');
setTimeout(() => {
  requestIdleCallback(({ didTimeout, timeRemaining }) => console.log('with a timeout', typeof didTimeout, typeof timeRemaining),
    { timeout: 1000 });
}, 100);
