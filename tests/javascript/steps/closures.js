// Closures: the variables of a call that is over, and of the rounds of a loop.
function counter(start) {
  let count = start;
  return function next(by = 1) {
    count += by;
    return count;
  };
}
const first = counter(10);
const second = counter(100);
first();
first(5);
second();
console.log(first(), second());

for (let i = 0; i < 2; i++) {
  setTimeout(() => {
    const square = i * i;
    console.log(i, square);
  }, i);
}
const doubled = [1, 2].map((x) => x * 2);
console.log(doubled);
