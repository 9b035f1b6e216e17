'use strict';
// Computations whose jumps and calls are known: what a thousand of them take is `overhead.jumps` of a machine.
//
// `jumps`: how many QuickJS counts in one run, which is what loopsim charges for. Where loopsim runs this file itself it prints
// what it counts, on a machine on which one takes a nanosecond (tests/javascript/computation.py):
//
//   loopsim run jumps.js --machine '{"overhead": {"jumps": "1us"}}'

const numbers = Array.from({ length: 1000 }, (_, i) => i % 97);

// A loop over an array, as most loops are.
function loop() {
  let sum = 0;
  for (let i = 0; i < 5000; i++) sum += numbers[i % 1000];
  return sum;
}

// Calls that the compiler cannot do without.
function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

// Arithmetic with branches that are hard to foresee.
function primes() {
  let count = 0;
  for (let i = 2; i < 1000; i++) {
    let isPrime = true;
    for (let j = 2; j * j <= i; j++) {
      if (i % j === 0) {
        isPrime = false;
        break;
      }
    }
    if (isPrime) count++;
  }
  return count;
}

const computations = [
  { name: 'jumpsOfLoop', run: loop, jumps: 10005 },
  { name: 'jumpsOfCalls', run: () => fibonacci(17), jumps: 10338 },
  { name: 'jumpsOfBranches', run: primes, jumps: 19028 },
];

if (require.main === module) {
  for (const { name, run } of computations) {
    const begin = process.hrtime.bigint();
    run();
    console.log(name, Number(process.hrtime.bigint() - begin) - 1000);  // the first reading of the clock
  }
}

module.exports = computations;
