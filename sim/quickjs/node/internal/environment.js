// process.env (src/node_env_var.cc): whatever is assigned becomes a text.
'use strict';

const { makeNodeError } = require('internal/errors');
const { options } = require('internal/options');
const { atLeast } = require('internal/version');

let wasTold = false;

function textOf(value) {
  if (options.pendingDeprecation && !wasTold && !['string', 'number', 'boolean'].includes(typeof value)) {
    wasTold = true;
    internalBinding.process.emitWarning(
      'Assigning any value other than a string, number, or boolean to a process.env property is deprecated. Please make sure ' +
      'to convert the value to a string before setting process.env with it.', 'DeprecationWarning', 'DEP0104');
  }
  return `${value}`;
}

function checkKey(key) {
  if (typeof key === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
}

const handler = {
  set(target, key, value) {
    checkKey(key);
    return Reflect.set(target, key, textOf(value));
  },
  defineProperty(target, key, descriptor) {
    if (!atLeast(14)) return Reflect.defineProperty(target, key, descriptor);
    const fail = (message) => { throw makeNodeError(TypeError, 'ERR_INVALID_OBJECT_DEFINE_PROPERTY', message); };
    if (descriptor.get || descriptor.set) fail("'process.env' does not accept an accessor(getter/setter) descriptor");
    if (!descriptor.configurable || !descriptor.writable || !descriptor.enumerable) {
      fail("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
    }
    checkKey(key);
    return Reflect.defineProperty(target, key, { ...descriptor, value: textOf(descriptor.value) });
  },
};

// `variables`: an object that only the result refers to.
function makeEnvironment(variables) { return new Proxy(variables, handler); }

module.exports = { makeEnvironment };
