// enterWith() inside run() and exit(): what is restored behind them, and what stays.
const { AsyncLocalStorage } = require('async_hooks');
const s = new AsyncLocalStorage();
s.exit(() => { s.enterWith(0); });
console.log('exit', s.getStore());
const t = new AsyncLocalStorage();
t.run(undefined, () => t.enterWith(1));
console.log('run undefined', t.getStore());
t.run(1, () => t.enterWith(2));
console.log('run same', t.getStore());
t.run(NaN, () => { t.run(NaN, () => t.enterWith(3)); console.log('inner', t.getStore()); });
console.log('after', t.getStore());
t.run(5, () => { t.run(5, () => { t.exit(() => t.enterWith(6)); console.log('inner', t.getStore()); }); console.log('inner', t.getStore()); });
console.log('after', t.getStore());
t.disable(); console.log('disabled', t.getStore());
t.run(undefined, () => { console.log('in', t.getStore()); t.enterWith(7); });
console.log('after', t.getStore());
try {
  const d = new AsyncLocalStorage({ defaultValue: 9 });
  d.run(9, () => d.enterWith(10));
  console.log('default', d.getStore());
  d.run(undefined, () => console.log(d.getStore()));
} catch (error) {
  console.log(error.message);
}
