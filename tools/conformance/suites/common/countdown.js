// Stands for test/common/countdown.js: calls back when it has been decremented to 0.
'use strict';

const assert = require('assert');
const { mustCall } = require('./index.js');

module.exports = class Countdown {
  #left;
  #callback;
  constructor(limit, callback) {
    assert.strictEqual(typeof limit, 'number');
    assert.strictEqual(typeof callback, 'function');
    this.#left = limit;
    this.#callback = mustCall(callback);
  }
  dec() {
    assert(this.#left > 0, 'the countdown is at its end');
    if (--this.#left === 0) this.#callback();
    return this.#left;
  }
  get remaining() { return this.#left; }
};
