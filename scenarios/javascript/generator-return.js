// `break` out of `for await`: does the `finally` of the generator run, and does the loop wait for it?
// Needs Node 10.

async function* endless() {
  let n = 0;
  try {
    while (true) yield n++;
  } finally {
    console.log('finally begins');
    await new Promise((resolve) => setTimeout(resolve, 10));
    console.log('finally ends');
  }
}
(async () => {
  for await (const n of endless()) {
    console.log(n);
    if (n === 2) break;
  }
  console.log('after the loop');
})();
