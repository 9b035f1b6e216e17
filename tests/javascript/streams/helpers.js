// map(), filter() and the other functions of a readable stream.
const { Readable } = require('stream');
const numbers = () => Readable.from([1, 2, 3, 4]);
(async () => {
  console.log(await numbers().map((n) => n * 2).toArray());
  console.log(await numbers().filter(async (n) => n % 2).toArray());
  console.log(await numbers().flatMap((n) => [n, n]).toArray());
  console.log(await numbers().take(2).toArray(), await numbers().drop(2).toArray());
  console.log(await numbers().reduce((a, b) => a + b), await numbers().reduce((a, b) => a + b, 10));
  console.log(await numbers().some((n) => n > 3), await numbers().every((n) => n > 3), await numbers().find((n) => n > 2));
  await numbers().forEach((n) => console.log('each', n));
  await numbers().map((n) => { if (n === 3) throw new Error('three'); return n; }).toArray().catch((error) => console.log(error.message));
  const order = [];
  await numbers().map(async (n) => { order.push(`start ${n}`); await new Promise((resolve) => setTimeout(resolve, 5 - n)); order.push(`end ${n}`); return n; }, { concurrency: 2 })
    .forEach((n) => order.push(`got ${n}`));
  console.log(order.filter((line) => line.startsWith('got')).join());
  try { numbers().map(5); } catch (error) { console.log(error.code, error.message); }
})();
