// globals: queueMicrotask makes a callback always asynchronous.
class DataHandler {
  constructor() { this.cache = new Map(); }
  load(key, callback) {
    const hit = this.cache.get(key);
    if (hit !== undefined) return queueMicrotask(() => callback('hit', hit));
    setTimeout(() => { this.cache.set(key, 'data'); callback('miss', 'data'); }, 2);
  }
}
const handler = new DataHandler();
handler.load('a', (how, data) => {
  console.log(how, data);
  handler.load('a', (again, found) => console.log(again, found));
  console.log('asked again');
});
console.log('asked');
