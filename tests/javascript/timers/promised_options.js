// stdout only
// What promisified timers say of options that are none.
'use strict';

const { promisify } = require('util');
(async () => {
  for (const options of [[], null, 5, 'text', () => 1, function named() {}, undefined]) {
    await promisify(setImmediate)(1, options).then(() => console.log('immediate'), (e) => console.log(e.message));
    await promisify(setTimeout)(1, 1, options).then(() => console.log('timeout'), (e) => console.log(e.message));
  }
})();
