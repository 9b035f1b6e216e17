// A function calls back at once when it knows the answer, and later when not: what does the caller see?

const cache = {};
function ask(key, callback) {
  if (cache[key]) return callback(cache[key]);
  setTimeout(() => { cache[key] = 'answer'; callback(cache[key]); }, 5);
}
function askLater(key, callback) {
  if (cache[key]) return process.nextTick(callback, cache[key]);
  ask(key, callback);
}
ask('a', (answer) => {
  console.log('first', answer);
  ask('a', () => console.log('from the cache, at once'));
  console.log('asked');
  askLater('a', () => console.log('from the cache, in a tick'));
  console.log('asked again');
});
console.log('script end');
