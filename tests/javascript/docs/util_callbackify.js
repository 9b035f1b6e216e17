// util: callbackify of an async function; null as a reason.
const util = require('node:util');
async function fn() { return 'hello world'; }
util.callbackify(fn)((error, value) => console.log(error, value));
util.callbackify(() => Promise.reject(null))((error) => console.log(error.code, error.reason));
util.callbackify(async (a, b) => a + b)(1, 2, (error, sum) => console.log(sum));
