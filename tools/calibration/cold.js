'use strict';
// What a callback costs when the loop's own code has not run for a while, so that the caches have forgotten it. Prints one JSON object.
//
//   node cold.js ROUNDS DELAY
//
// slept     nanoseconds from arming a timer to its callback, minus the delay (in ms): the loop has slept
// second    nanoseconds from the end of a callback of 5 ms to the begin of the next one of the same pass
const { now } = require('./clock.js');

const [rounds, delay] = process.argv.slice(2).map(Number);
const warmUp = 5;
const result = { slept: [], second: [] };

function round(number) {
  const armed = now();
  let ended = 0;
  setTimeout(() => {
    const begun = now();
    while ((ended = now()) < begun + 5e6);
    if (number >= warmUp) result.slept.push(begun - armed - delay * 1e6);
  }, delay);
  setTimeout(() => {
    if (number >= warmUp) result.second.push(now() - ended);
    if (number < rounds + warmUp) setTimeout(round, 7, number + 1);
    else process.stdout.write(`${JSON.stringify(result)}\n`);
  }, delay);
}

round(0);
