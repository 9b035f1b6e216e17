// A program's own Promise is not Node's.
class MyPromise extends Promise {}
globalThis.Promise = MyPromise;
const { setTimeout: sleep } = require('timers/promises');
const { once, EventEmitter } = require('events');
const { promisify } = require('util');
console.log(sleep(1) instanceof MyPromise, promisify(setTimeout)(1) instanceof MyPromise, once(new EventEmitter(), 'x') instanceof MyPromise);
