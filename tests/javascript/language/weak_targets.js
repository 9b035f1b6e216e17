// since 14: what WeakRef and FinalizationRegistry take
function t(n, f) { try { var v = f(); console.log(n, typeof v); } catch (e) { console.log(n, e.name + ': ' + e.message); } }
t('WeakRef 1', function () { return new WeakRef(1); });
t('WeakRef', function () { return new WeakRef(); });
t('WeakRef symbol', function () { return new WeakRef(Symbol('s')).deref(); });
t('WeakRef registered', function () { return new WeakRef(Symbol.for('s')); });
t('WeakRef well-known', function () { return new WeakRef(Symbol.iterator).deref(); });
t('WeakRef call', function () { return WeakRef({}); });
t('registry', function () { return new FinalizationRegistry(); });
t('registry 1', function () { return new FinalizationRegistry({}); });
t('registry call', function () { return FinalizationRegistry(function () {}); });
var r = typeof FinalizationRegistry === 'function' && new FinalizationRegistry(function () {});
t('register 1', function () { return r.register(1, 2); });
t('register same', function () { var o = {}; return r.register(o, o); });
t('register token', function () { return r.register({}, 1, 2); });
t('register symbol', function () { return r.register(Symbol('s'), 1); });
t('register symbol token', function () { return r.register({}, 1, Symbol('s')); });
t('unregister', function () { return r.unregister(1); });
t('unregister none', function () { return r.unregister(); });
