// Two immediates, each with a tick: does the tick come between them?

setImmediate(() => {
  console.log('immediate 1');
  process.nextTick(() => console.log('tick 1'));
  Promise.resolve().then(() => console.log('promise 1'));
  setImmediate(() => console.log('immediate of the next turn'));
});
setImmediate(() => {
  console.log('immediate 2');
  process.nextTick(() => console.log('tick 2'));
});
