// What a promise is resolved with, and when it is looked at: V8 4.5 (Node 4) before ECMAScript 2015 was finished.
'use strict';
function say() { console.log.apply(console, arguments); }
function thenable(name, value) {
  return { get then() { say('get then of', name); return function (resolve) { say('then of', name); resolve(value); }; } };
}
const held = Promise.resolve(thenable('held', 1));
say('made');
held.then(function (value) { say('held', value); });
held.then(function (value) { say('held again', value); });
Promise.all([thenable('first', 1), Promise.resolve(thenable('second', 2)), 3]).then(function (values) { say(values.join()); });
Promise.race([thenable('third', 4), 5]).then(function (value) { say('race', value); });
let resolve;
const itself = new Promise(function (a) { resolve = a; });
resolve(itself);
itself.then(null, function (error) { say(String(error)); });
new Promise(function (a) { a(Promise.resolve(6)); }).then(function (value) { say(value); });
Promise.resolve().then(function () { say(1); }).then(function () { say(2); }).then(function () { say(3); }).then(function () { say(4); });
Promise.resolve().then(function () { return Promise.resolve(7); }).then(function (value) { say(value); });
Promise.resolve().then(function () { return thenable('returned', 8); }).then(function (value) { say(value); });
const own = Promise.resolve(9);
own.then = function (a, b) { say('own then'); return Promise.prototype.then.call(this, a, b); };
Promise.resolve().then(function () { return own; }).then(function (value) { say(value); });
Promise.resolve(own).catch(function () {});
Promise.reject(new Error('no')).then(undefined, undefined).catch(function (error) { say(String(error)); });
say(Promise.resolve(held) === held, held instanceof Promise, Object.prototype.toString.call(held));
try { Promise.resolve.call(Object, 1).then(1); } catch (error) { say(error instanceof TypeError); }
class Sub extends Promise {}
say(Sub.resolve(1) instanceof Sub, Sub.resolve(1).then() instanceof Sub);
