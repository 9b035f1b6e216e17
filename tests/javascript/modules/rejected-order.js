// The module that a gate holds fails, and all that wait for it: whose import() is rejected first. They are imported one after another,
// so that each runs as far as it can before the next is read.
const order = [];
const names = ['top', 'leaf', 'right', 'loop-b', 'left', 'loop-a'];
const soon = () => new Promise((done) => setTimeout(done, 300));
(async () => {
  for (const name of names) {
    import(`./waiting/${name}.mjs`).catch((error) => order.push(`${name} ${error.message}`));
    await soon();
  }
  const { gate } = await import('./waiting/gate.mjs');
  gate.refuse(new Error('no'));
  await soon();
  console.log(order.join(', '));
  for (const name of names) await import(`./waiting/${name}.mjs`).catch((error) => console.log('again', name, error.message));
})();
