// Delays of 32 ms and more are flexible in Chrome: such a timer waits up to 8 ms for another, and comes behind it.
setTimeout(() => console.log('40'), 40);
setTimeout(() => setTimeout(() => console.log('14 + 29'), 29), 14);
setTimeout(() => setTimeout(() => console.log('132 + 31'), 31), 132);
setTimeout(() => setTimeout(() => console.log('100 + 60'), 60), 100);
setTimeout(() => setTimeout(() => console.log('200 + 31'), 31), 200);
setTimeout(() => setTimeout(() => console.log('210 + 25'), 25), 210);
