// Stands for test/common/gc.js: what is collected, where the runtime has gc().
'use strict';

const { setImmediate: turn } = require('timers/promises');

const watched = new Map();
const registry = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry((listener) => listener.ongc()) : undefined;

function onGC(object, listener) {
  registry.register(object, listener);
  watched.set(listener, true);
}

async function gcUntil(name, condition, most = 10) {
  if (typeof name === 'function') [name, condition] = [undefined, name];
  for (let i = 0; i < most; ++i) {
    await turn();
    globalThis.gc();
    if (condition()) return;
  }
  throw new Error(`${name === undefined ? 'Test' : name} failed`);
}

module.exports = { gcUntil, onGC };
