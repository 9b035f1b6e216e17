// What util.inspect() asks the engine of a value (internalBinding('util') of Node).
'use strict';

const native = internalBinding;
const { unboxed } = require('internal/early_promise');

module.exports = {
  // [state, result] with the states as inspect() knows them.
  promiseDetails(pending, rejected) {
    return (promise) => {
      const [state, result] = native.promiseDetails(promise);
      return [state === 0 ? pending : state === 2 ? rejected : state, unboxed(result)];
    };
  },
  proxyDetails(value, full = true) {
    const details = native.proxyDetails(value);
    return details === undefined || full ? details : details[0];
  },
};
