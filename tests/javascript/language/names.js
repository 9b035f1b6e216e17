// The names that the language's own objects have, version by version; without those that loopsim has in none (kMissing), and keys that are
// symbols of ES6, which QuickJS itself asks for.
'use strict';
var kMissing = new RegExp('^(?:\\$\\*|(?:un)?observe|deliverChangeRecords|getNotifier|' +
  'accept|defer|chain|waitAsync|isView|multiline|lastIndex|toTemporalInstant|arguments|caller|flags)$');
var kSymbols = /^Symbol\((Symbol\.(?:matchAll|asyncIterator|dispose|asyncDispose))\)$/;
function namesOf(object) {
  var names = Object.getOwnPropertyNames(object).filter(function (name) { return !kMissing.test(name); });
  Object.getOwnPropertySymbols(object).forEach(function (symbol) {
    var match = kSymbols.exec(String(symbol));
    if (match) names.push('[' + match[1] + ']');
  });
  return names.sort().join(' ');
}
['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'Date', 'Promise', 'RegExp', 'Error', 'AggregateError', 'EvalError',
  'TypeError', 'SuppressedError', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Map', 'BigInt', 'Set', 'WeakMap', 'WeakSet', 'WeakRef',
  'FinalizationRegistry', 'Proxy', 'Reflect', 'JSON', 'Math', 'Atomics', 'Iterator', 'DisposableStack',
  'AsyncDisposableStack'].forEach(function (name) {
  var value = global[name];
  if (value === undefined) return console.log(name + ': undefined');
  console.log(name + ': ' + namesOf(value));
  if (value.prototype) console.log(name + '.prototype: ' + namesOf(value.prototype));
});
console.log(Object.getOwnPropertyNames(Symbol).filter(function (name) {
  var found = Object.getOwnPropertyDescriptor(Symbol, name);
  return typeof found.value === 'symbol' && (found.configurable || found.writable || found.enumerable);
}).length);
console.log('stack' in Error.prototype, typeof Int8Array.prototype.includes, typeof process.emitWarning, typeof Error.prepareStackTrace);
console.log(typeof require('timers').promises, 'kMaxEventTargetListeners' in require('events'));
console.log(typeof GLOBAL, typeof root);
if (typeof GLOBAL !== 'undefined') {
  console.log(GLOBAL === global, root === global);
  root = 1;
  console.log(root, Object.getOwnPropertyDescriptor(global, 'root'), typeof Object.getOwnPropertyDescriptor(global, 'GLOBAL').get);
}
