// Calls of listeners. Those of the program are callbacks of their own in the trace; Node's own are not.
'use strict';

const native = internalBinding;
const { apply } = Reflect;

const own = new WeakSet();
const { get: fileNameOf } = Object.getOwnPropertyDescriptor(Function.prototype, 'fileName');

function isOfLibrary(listener) {
  const file = apply(fileNameOf, listener, []);
  return typeof file === 'string' && file.startsWith('node:');
}

// A listener of Node's own, or one that makes the call of the program's listener itself.
function markOwn(listener) {
  own.add(listener);
  return listener;
}

const receivers = [];  // of the listeners that run, for the frames of stacks

function callListener(listener, target, args, event) {
  if (own.has(listener) || isOfLibrary(listener)) return apply(listener, target, args);
  receivers.push(target);
  try {
    return native.callListener(listener, target, args, event, target === native.process);
  } finally {
    receivers.pop();
  }
}

module.exports = { callListener, markOwn, receivers };
