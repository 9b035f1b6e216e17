console.log('one');
async function* numbers() { yield 1; yield 2; await new Promise(() => {}); }
for await (const number of numbers()) {
  console.log(number);
}
console.log('never');
