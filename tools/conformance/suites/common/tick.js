// Stands for test/common/tick.js: calls back after a number of immediates.
'use strict';

module.exports = function tick(count, callback) {
  setImmediate(() => {
    if (count > 1) tick(count - 1, callback);
    else if (typeof callback === 'function') callback();
  });
};
