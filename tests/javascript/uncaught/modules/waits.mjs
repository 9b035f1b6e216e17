import './prints.mjs';
console.log('second');
const x = (await 5) + 1;
  const y = await new Promise(() => {});
