// How much longer a function takes before V8 has compiled it: the duration of each call, in nanoseconds, of a function that was not there
// before, as the median over so many functions. Prints a JSON list.
//
//   node warm.js FUNCTIONS CALLS
'use strict';
const { now } = require('./clock.js');

const functions = Number(process.argv[2]);
const calls = Number(process.argv[3]);

// What callbacks usually do: objects, a loop, calls of small functions, texts. A text of its own makes it a function of its own.
const make = (number) => new Function(`
  const area = (box) => box.width * box.height; // ${number}
  const words = [];
  let sum = ${number};
  for (let i = 0; i < 300; i++) {
    const box = { width: i & 15, height: i % 7, name: 'b' + (i & 3) };
    sum += area(box);
    if (i % 50 === 0) words.push(box.name);
  }
  return sum + words.join().length;
`);

const durations = Array.from({ length: calls }, () => []);
for (let number = 0; number < functions; number++) {
  const work = make(number);
  for (const samples of durations) {
    const begin = now();
    work();
    samples.push(now() - begin);
  }
}
const median = (samples) => samples.sort((a, b) => a - b)[samples.length >> 1];
process.stdout.write(`${JSON.stringify(durations.map(median))}\n`);
