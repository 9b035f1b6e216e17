// `Promise.all`: in the order in which they are done?

function job(name, delay) {
  return new Promise((resolve) => setTimeout(() => { console.log(name + ' done'); resolve(name); }, delay));
}
Promise.all([job('slow', 30), job('fast', 10), 'no promise', job('middle', 20)])
  .then((results) => console.log(results.join(', ')));
