// Three jobs of 10 ms, awaited in a loop or with `Promise.all`: how long does it take?
// Needs Node 8.

const job = () => new Promise((resolve) => setTimeout(resolve, 10));

async function inALoop() {
  const begin = Date.now();
  for (let i = 0; i < 3; i++) await job();
  return Date.now() - begin;
}
async function together() {
  const begin = Date.now();
  await Promise.all([job(), job(), job()]);
  return Date.now() - begin;
}
(async () => {
  console.log('in a loop', await inALoop() >= 30 ? '30 ms or more' : 'less than 30 ms');
  console.log('together', await together() >= 30 ? '30 ms or more' : 'less than 30 ms');
})();
