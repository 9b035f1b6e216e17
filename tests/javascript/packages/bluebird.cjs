// bluebird: a promise library that schedules by itself, beside native promises.
const Bluebird = require('bluebird');
setTimeout(() => console.log('timer'), 100);
setImmediate(() => console.log('immediate'));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('native then'));
Bluebird.resolve().then(() => console.log('bluebird then'));
Bluebird.delay(60, 'delayed').then((value) => console.log(value));
Bluebird.map([4, 1, 2], (n) => Bluebird.delay(n * 11).then(() => { console.log('map', n); return n; }), { concurrency: 2 })
  .then((all) => console.log(all));
Bluebird.reject(new RangeError('range')).catch(TypeError, () => console.log('never')).catch(RangeError, (error) => console.log('caught', error.name));
Bluebird.coroutine(function* () {
  const value = yield Bluebird.delay(6, 'yielded');
  console.log(value);
})();
Bluebird.delay(1000).timeout(250, 'too late').catch(Bluebird.TimeoutError, (error) => { console.log(error.message); process.exit(); });
Bluebird.using(Bluebird.resolve('resource').disposer(() => console.log('disposed')), (it) => console.log('using', it));
(async () => console.log('awaited', await Bluebird.delay(1, 'bluebird')))();
console.log('end of script');
