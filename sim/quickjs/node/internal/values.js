// What util.inspect() asks the engine of a value (internalBinding('util') of Node).
'use strict';

const native = internalBinding;
const { classOf } = require('internal/class_of');
const { unboxed } = require('internal/early_promise');
const { atLeast } = require('internal/version');

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
  // What an iterator of a map or set has not given yet, and whether keys and values take turns in it. Of anything else nothing:
  // the members of a weak collection are nobody's to see.
  previewEntries(value, isIterator) {
    const [members, isPairs] = isIterator ? native.iteratorMembers(value) : [[], false];
    // Node 10 shows the values of a set's entries.
    if (isPairs && atLeast(10) && !atLeast(11) && classOf(value) === 'SetIterator') return [members.filter((_, i) => i % 2 === 0), false];
    return isIterator ? [members, isPairs] : members;
  },
};
