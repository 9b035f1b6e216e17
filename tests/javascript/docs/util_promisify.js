// util: promisify of a function with a callback, and its custom symbol.
const util = require('node:util');
function half(n, callback) {
  setTimeout(() => (n % 2 ? callback(new Error(n + ' is odd')) : callback(null, n / 2)), 1);
}
const halfOf = util.promisify(half);
halfOf(4).then((value) => console.log(value)).then(() => halfOf(3)).catch((error) => console.log(error.message));
half[util.promisify.custom] = (n) => Promise.resolve('custom ' + n);
util.promisify(half)(1).then((value) => console.log(value));
