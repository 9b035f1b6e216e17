// stdout only
// What process.nextTick() and the timers say of a callback that is none.
'use strict';

for (const [name, call] of Object.entries({ nextTick: process.nextTick, setTimeout, setInterval, setImmediate })) {
  for (const value of [undefined, null, 5, 'text', {}, [], Symbol('s'), Object.create(null)]) {
    try { call(value); } catch (e) { console.log(name, e.name, e.code, e.message); }
  }
}
