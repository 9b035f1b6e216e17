// The event 'multipleResolves' of `process` (lib/internal/process/promises.js).
'use strict';

const native = internalBinding;
const { deprecate } = require('util');
const { atLeast } = require('internal/version');

const { apply } = Reflect;
const { listenerCount } = require('events').prototype;

let tellDeprecation;

function resolvedAgain(promise, isRejected, value) {
  const { process } = native;
  if (atLeast(20) && apply(listenerCount, process, ['multipleResolves']) === 0) return;
  // Through the program's own nextTick(), if it has put one there.
  process.nextTick(function multipleResolves() {
    const isHeard = process.emit('multipleResolves', isRejected ? 'reject' : 'resolve', promise, value);
    if (!isHeard || !atLeast(18)) return;
    tellDeprecation ??= deprecate(() => {}, 'The multipleResolves event has been deprecated.', 'DEP0160');
    tellDeprecation();
  });
}

module.exports = { resolvedAgain };
