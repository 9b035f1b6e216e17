// finally() of a promise whose constructor names no species takes Promise; of others, what they name.
function show(name, promise) {
  promise.then(function (value) { console.log(name, value); }, function (error) { console.log(name, 'rejected', error.name, error.message); });
}
function withConstructor(promise, constructor) { return Object.defineProperty(promise, 'constructor', { value: constructor }); }
function finallyOf(promise) { return promise.finally(function () { console.log('  called'); return Promise.resolve('unused'); }); }

show('undefined', finallyOf(withConstructor(Promise.resolve(1), undefined)));
show('rejected', finallyOf(withConstructor(Promise.reject(new Error('why')), undefined)));
show('Object', finallyOf(withConstructor(Promise.resolve(2), Object)));
show('null as the species', finallyOf(withConstructor(Promise.resolve(3), { [Symbol.species]: null })));
show('no function', withConstructor(Promise.resolve(4), {}).finally(5));
class Own extends Promise {
  constructor(executor) { super(executor); console.log('  new Own'); }
}
const own = finallyOf(Own.resolve(6));
console.log(own instanceof Own, finallyOf(withConstructor(Promise.resolve(7), Own)) instanceof Own);
show('Own', own);
for (const wrong of [null, 8, 'text']) {
  try {
    withConstructor(Promise.resolve(9), wrong).finally(() => {});
  } catch (error) {
    console.log(String(wrong), error.name);
  }
}
