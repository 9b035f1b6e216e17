// `for await` over three promises, the slowest first: in which order do they come?
// Needs Node 10.

const later = (delay) => new Promise((resolve) => setTimeout(() => { console.log('timer of', delay); resolve(delay); }, delay));

(async () => {
  for await (const delay of [later(30), later(10), later(20)]) console.log('got', delay);
  console.log('end');
})();
