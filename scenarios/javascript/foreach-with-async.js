// `forEach` with an async function: does it wait?
// Needs Node 8.

const job = (n) => new Promise((resolve) => setTimeout(resolve, 10 * (4 - n), n));

(async () => {
  [1, 2, 3].forEach(async (n) => console.log('forEach', await job(n)));
  console.log('all done?');
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const n of [1, 2, 3]) console.log('for of', await job(n));
  console.log('all done!');
})();
