// async: queues, waterfall, series, parallelLimit, retry, auto; with callbacks and with async functions.
const async = require('async');
const later = (ms, value) => (done) => setTimeout(done, ms, null, value);

const queue = async.queue((task, done) => { console.log('task', task); setTimeout(done, 60); }, 2);
queue.drain(() => console.log('the queue is empty'));
queue.push([1, 2, 3], () => console.log('done'));
queue.unshift(0);

async.waterfall([later(5, 'a'), (value, done) => done(null, value + 'b')], (error, value) => console.log('waterfall', error, value));
async.parallelLimit([later(300, 1), later(200, 2), later(50, 3)], 2, (error, values) => console.log('parallel', values));
async.series({ one: later(3, 1), two: later(2, 2) }).then((values) => console.log('series', values));
let tries = 0;
async.retry({ times: 3, interval: 15 }, (done) => done(++tries < 3 ? new Error('no') : null, tries), (error, value) => console.log('retry', value));
async.auto({
  first: async () => 'first',
  second: ['first', async ({ first }) => `${first} and second`],
}).then(({ second }) => console.log('auto', second));
async.mapLimit([3, 2, 1], 2, async (n) => { await new Promise((r) => setTimeout(r, n * 70)); return n * 2; })
  .then((values) => console.log('mapLimit', values));
async.each(['x', 'y'], (item, done) => { console.log('each', item); done(item === 'y' ? new Error('y') : null); })
  .catch((error) => console.log('each failed:', error.message));
async.nextTick(() => console.log('nextTick'));
async.setImmediate((text) => console.log(text), 'setImmediate');
console.log('end of script');
