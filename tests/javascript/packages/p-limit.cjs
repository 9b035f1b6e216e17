// p-limit: five jobs, two at a time.
const pLimit = require('p-limit');
const limit = pLimit(2);
const sleep = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
let running = 0;
let most = 0;
const jobs = [30, 10, 20, 15, 5].map((ms, i) => limit(async () => {
  most = Math.max(most, ++running);
  console.log('begins', i, limit.activeCount, limit.pendingCount);
  await sleep(ms);
  running -= 1;
  console.log('ends', i);
  if (i === 3) throw new Error('job 3');
  return i;
}));
Promise.allSettled(jobs).then((all) => console.log(all.map((one) => one.value ?? one.reason.message), most));
console.log('asked', limit.activeCount, limit.pendingCount);
