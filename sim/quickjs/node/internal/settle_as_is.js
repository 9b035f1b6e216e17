// Node 8 gives a promise the value of another as it is (ResolvePromise of V8 6.2), where the language looks once more whether it
// is a thenable: a getter `then` is not called again.
'use strict';

const native = internalBinding;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;

function ownerOfThen(value) {
  for (let at = value; at !== null; at = getPrototypeOf(at)) {
    if (native.proxyDetails(at) !== undefined) return undefined;
    if (getOwnPropertyDescriptor(at, 'then') !== undefined) return at;
  }
  return undefined;
}

// `resolve`: the resolving function of a promise. Runs none of the program's code, but for a proxy or a `then` that cannot change.
function settleAsIs(resolve, value) {
  const owner = ownerOfThen(value);
  const then = owner === undefined ? undefined : getOwnPropertyDescriptor(owner, 'then');
  if (!then?.configurable) return resolve(value);
  defineProperty(owner, 'then', { __proto__: null, value: undefined, enumerable: then.enumerable, configurable: true });
  try {
    return resolve(value);
  } finally {
    defineProperty(owner, 'then', then);
  }
}

module.exports = { settleAsIs };
