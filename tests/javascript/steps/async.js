// What is left and comes back: async functions, generators, both.
const pause = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));

async function work(name) {
  let steps = 0;
  const got = await pause(1, name + '!');
  steps++;
  try {
    await Promise.reject(new Error('no'));
  } catch (error) {
    steps += 10;
  }
  return [got, steps];
}

function* numbers(limit) {
  for (let i = 0; i < limit; i++) {
    const sent = yield i;
    if (sent) limit = sent;
  }
  return 'end';
}

async function* slow() {
  yield 1;
  await null;
  yield 2;
}

const it = numbers(5);
it.next();
it.next(2);
console.log([...numbers(2)], it.next());

work('a').then((result) => {
  console.log(result);
  return result.length;
});
(async () => {
  for await (const value of slow()) {
    console.log(value);
  }
  throw new TypeError('last');
})().catch((error) => console.log(String(error)));
