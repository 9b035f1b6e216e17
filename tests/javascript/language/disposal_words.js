// since 24: words of what cannot be disposed of
(async () => {
  async function t(n, f) { try { console.log(n, await f()); } catch (e) { console.log(n, e.name + ': ' + e.message); } }
  await t('await using', async () => { await using x = {}; });
  await t('await using 5', async () => { await using x = 5; });
  await t('await using method', async () => { await using x = { [Symbol.asyncDispose]: 1 }; });
  await t('using 5', () => { using x = 5; });
  await t('using text', () => { using x = 'text'; });
  await t('using {}', () => { using x = {}; });
  await t('using method', () => { using x = { [Symbol.dispose]: 'no' }; });
  await t('using null', () => { using x = null; return 'ok'; });
  await t('using fn', () => { using x = () => {}; });
  await t('for using', () => { for (using x of [{}]) {} });
  for (const C of [DisposableStack, AsyncDisposableStack]) {
    const s = new C(); s.move();
    await t(C.name + ' defer', () => s.defer(() => {}));
    await t(C.name + ' adopt', () => s.adopt(1, () => {}));
    await t(C.name + ' use', () => s.use(null));
    await t(C.name + ' move', () => s.move());
    const u = new C();
    await t(C.name + ' defer 1', () => u.defer(1));
    await t(C.name + ' adopt 1', () => u.adopt(1, 1));
    await t(C.name + ' use 1', () => u.use(1));
    await t(C.name + ' use {}', () => u.use({}));
    await t(C.name + ' use method', () => u.use({ [Symbol.dispose]: 1 }));
    await t(C.name + ' call', () => C());
    await t(C.name + ' receiver', () => C.prototype.defer.call({}, () => {}));
    await t(C.name + ' receiver use', () => C.prototype.use.call({}, null));
  }
})();
