// Ticks of Node's own: process.nextTick() as Node's JavaScript calls it, whatever the program has put in its place.
'use strict';

const native = internalBinding;

function internalTick(callback, ...args) { native.nextTick(callback, ...args); }

module.exports = { internalTick };
