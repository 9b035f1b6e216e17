// A callback is called on its timer, or its immediate; fields of a timer that are assigned.
'use strict';
const timeout = setTimeout(function () { console.log('timeout', this === timeout); }, 20);
setTimeout(() => {
  const immediate = setImmediate(function () { console.log('immediate', this === immediate); });
}, 350);
process.nextTick(function () { console.log('tick', this === undefined); });
queueMicrotask(function () { console.log('microtask', this === undefined); });
setTimeout(function () { console.log('nobody holds it', this.constructor.name, this.hasRef()); }, 60);
setTimeout(() => {
  let left = 2;
  const interval = setInterval(function () {
    console.log('interval', this === interval, this.constructor.name);
    if (--left === 0) clearInterval(this);
  }, 20);
}, 100);
setTimeout(() => {
  let rounds = 0;
  const repeated = setTimeout(() => {
    console.log('round', ++rounds, repeated._repeat);
    repeated._repeat = rounds < 3 ? 20 : null;
  }, 10);
}, 200);
setTimeout(() => {
  const stopped = setInterval(() => {
    console.log('stopped');
    stopped._idleTimeout = -1;
  }, 10);
  const replaced = setTimeout(() => console.log('not called'), 40);
  replaced._onTimeout = () => console.log('called instead');
}, 400);
