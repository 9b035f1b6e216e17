// Sorting by timers: does it work?

const sorted = [];
const numbers = [30, 10, 20, 1, 0, 10];
numbers.forEach((n, i) => setTimeout(() => {
  sorted.push(n + (i === 5 ? ' (the second 10)' : ''));
  if (sorted.length === numbers.length) console.log(sorted.join(', '));
}, n));
