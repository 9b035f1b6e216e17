// A gate opens that a module and all that import it wait for: whose import() is fulfilled first. They are imported one after another,
// so that each runs as far as it can before the next is read.
const order = [];
const names = ['top', 'leaf', 'right', 'loop-b', 'left', 'loop-a'];
const soon = () => new Promise((done) => setTimeout(done, 300));
(async () => {
  for (const name of names) {
    import(`./waiting/${name}.mjs`).then(() => order.push(name));
    await soon();
  }
  const { gate } = await import('./waiting/gate.mjs');
  gate.open();
  await soon();
  console.log(order.join(', '));
  for (const name of names) await import(`./waiting/${name}.mjs`).then(() => console.log('again', name));
})();
