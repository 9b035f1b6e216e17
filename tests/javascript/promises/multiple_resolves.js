// Which calls of resolving functions process is told of, with what, and when: Node 10 to 24.
var at = 0;
function later(name, run) { setTimeout(function () { console.log(name); run(); }, at += 5); }
function thenable(run) { return { then: run }; }
var told = 0;
process.on('unhandledRejection', function () {});

later('nobody listens yet', function () {
  new Promise(function (resolve) { resolve(1); resolve(2); });
  process.nextTick(function () { console.log('  tick'); });
  process.on('multipleResolves', function (type, promise, value) {
    var text = value instanceof Error ? value.message : value instanceof Promise ? 'a promise' : value;
    console.log('  told', ++told, type, text, promise instanceof Promise, this === process, arguments.length);
  });
});
later('resolve', function () { new Promise(function (resolve, reject) { resolve(1); resolve(2); reject(3); reject(); }); });
later('reject', function () { new Promise(function (resolve, reject) { reject(1); resolve(2); reject(3); resolve(); }); });
later('a promise that is pending', function () {
  var first;
  new Promise(function (resolve) { resolve(new Promise(function (inner) { first = inner; })); resolve(2); });
  first(3);
});
later('itself', function () {
  var resolve;
  var promise = new Promise(function (given) { resolve = given; });
  resolve(promise);
  resolve(promise);
});
later('an executor that throws', function () {
  new Promise(function (resolve) { resolve(1); throw new Error('by the executor'); });
  new Promise(function (resolve) { resolve(1); null.x; });
});
later('thenables', function () {
  new Promise(function (resolve) { resolve(thenable(function (a, b) { a(1); a(2); b(3); })); });
  new Promise(function (resolve) { resolve(thenable(function (a) { a(1); throw new Error('by then()'); })); });
  new Promise(function (resolve) { resolve(thenable(function () { throw new Error('not told'); })); resolve(4); });
  Promise.resolve().then(function () { return thenable(function (a) { a(5); a(6); }); });
});
later('combinators', function () {
  Promise.race([1, 2, Promise.reject(3)]);
  Promise.all([Promise.reject(4), Promise.reject(5), 6, thenable(function (a, b) { a(7); a(8); b(9); })]);
  var broken = {};
  broken[Symbol.iterator] = function () {
    var calls = 0;
    return { next: function () { if (calls++) throw new Error('by next()'); return { value: Promise.reject(10), done: false }; } };
  };
  Promise.all(broken);
});
later('of a subclass', function () {
  class Own extends Promise {}
  new Own(function (resolve) { resolve(1); resolve(2); });
  Own.race([3, 4]);
  Own.resolve(5).then(function () { throw new Error('not told'); });
});
later('async functions', function () {
  (async function () { await thenable(function (a, b) { a(1); b(2); }); return thenable(function (a) { a(3); a(4); }); })();
  new Promise(async function (resolve) { resolve(5); await null; resolve(6); throw new Error('not told'); });
});
later('a then() of its own', function () {
  var promise = Promise.resolve(1);
  promise.then = function (a, b) { a(2); a(3); b(4); };
  new Promise(function (resolve) { resolve(promise); });
});
later('between ticks and microtasks', function () {
  process.nextTick(function () { console.log('  tick 1'); });
  Promise.resolve().then(function () {
    console.log('  microtask 1');
    new Promise(function (resolve) { resolve(2); resolve(3); });
    process.nextTick(function () { console.log('  tick 3'); });
  }).then(function () { console.log('  microtask 2'); });
  new Promise(function (resolve) { resolve(1); resolve(2); });
  process.nextTick(function () { console.log('  tick 2'); });
});
later('by the program\'s own nextTick() and emit()', function () {
  var nextTick = process.nextTick;
  var emit = process.emit;
  var called = [];  // printing would call them, too
  process.removeAllListeners('multipleResolves');
  process.on('multipleResolves', function () { called.push('told'); });
  process.nextTick = function () { called.push('nextTick ' + arguments.length); return nextTick.apply(process, arguments); };
  process.emit = function (event) { called.push('emit ' + event); return emit.apply(process, arguments); };
  new Promise(function (resolve) { resolve(1); resolve(2); });
  process.nextTick = nextTick;
  nextTick.call(process, function () { process.emit = emit; console.log('  ' + called.join(', ')); });
});
later('a listener that throws', function () {
  process.once('uncaughtException', function (error) { console.log('  uncaught', error.message); });
  process.once('multipleResolves', function () { throw new Error('by the listener'); });
  new Promise(function (resolve) { resolve(1); resolve(2); });
});
later('nobody listens any more', function () {
  process.removeAllListeners('multipleResolves');
  new Promise(function (resolve) { resolve(1); resolve(2); });
});
process.on('exit', function () {
  process.on('multipleResolves', function () { console.log('never'); });
  new Promise(function (resolve) { resolve(1); resolve(2); });
});
