// An async generator: its requests wait in a queue, and yield awaits.
async function* numbers() {
  console.log('begins');
  try {
    yield 1;
    yield Promise.resolve(2);
    return 3;
  } finally {
    console.log('cleans up');
  }
}
const iterator = numbers();
for (let i = 1; i <= 4; ++i) iterator.next().then(({ value, done }) => console.log(`next ${i}:`, value, done));
(async () => {
  for await (const value of numbers()) {
    console.log('loop', value);
    if (value === 2) break;
  }
  console.log('loop is over');
})();
let turn = 0;
const tick = () => {
  console.log(`turn ${++turn}`);
  if (turn < 10) queueMicrotask(tick);
};
queueMicrotask(tick);
