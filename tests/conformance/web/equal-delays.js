// Timers of equal delay run in the order in which they were set, and a longer one that was set before a shorter one after it.
setTimeout(() => console.log('40, first'), 40);
setTimeout(() => console.log('20, first'), 20);
setTimeout(() => console.log('40, second'), 40);
setTimeout(() => {
  console.log('20, second');
  setTimeout(() => console.log('20 + 40'), 40);
}, 20);
setTimeout(() => console.log('40.9 is 40'), 40.9);
setTimeout(() => console.log('40, third'), 40);
setTimeout(() => console.log('"20" is a number'), '20');
