const never = new Promise(() => {});
function f() { return never; }
async function g() { await never; }
await 1;
g();
console.log('one');
if (true) {
  const x = { await: 1, async m() { await never; } };
  void x;
  await f(await 2, [1, 2].map(async (one) => await one));
}
await 3;
