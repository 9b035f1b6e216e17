// The timer of 100 ms that fires at 105, in JavaScript: what is ready at 95 ms keeps the thread busy for 10.
const { cpu } = require("loopsim");
const scheduled = Date.now();
setTimeout(() => console.log(`${Date.now() - scheduled} ms have passed since I was scheduled`), 100);
setTimeout(function ready() {
  cpu(10);
}, 95);
