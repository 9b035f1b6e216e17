// Ticks that ask for ticks, promises that ask for ticks: who is next?

process.nextTick(() => {
  console.log('tick 1');
  process.nextTick(() => console.log('tick in a tick'));
  Promise.resolve().then(() => console.log('reaction in a tick'));
});
Promise.resolve().then(() => {
  console.log('reaction 1');
  process.nextTick(() => console.log('tick in a reaction'));
  Promise.resolve().then(() => console.log('reaction in a reaction'));
});
process.nextTick(() => console.log('tick 2'));
Promise.resolve().then(() => console.log('reaction 2'));
