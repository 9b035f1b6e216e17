const waiting = new Promise(() => {});
console.log('no call behind it');
  await waiting;
console.log('never');
