// `next()` three times without `await`: does an async generator run three times at once?
// Needs Node 10.

async function* numbers() {
  for (let n = 1; n <= 2; n++) {
    console.log('makes', n);
    await new Promise((resolve) => setTimeout(resolve, 5));
    yield n;
  }
  console.log('is done');
}
const it = numbers();
for (let i = 0; i < 3; i++) it.next().then(({ value, done }) => console.log('got', value, done));
console.log('script end');
