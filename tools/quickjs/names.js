// Prints the names that a program finds: globals, their members, and those of modules. Runs on any Node.js, and in loopsim.
// GLOBAL, GLOBAL.MEMBER, GLOBAL.prototype.MEMBER; MODULE: and MODULE:MEMBER. A member may be a well-known symbol: [Symbol.iterator].
'use strict';
var names = [];
function membersOf(object) {
  var found = Object.getOwnPropertyNames(object).filter(function (name) { return name !== 'constructor'; });
  Object.getOwnPropertySymbols(object).forEach(function (symbol) {
    var text = String(symbol).slice(7, -1);
    if (/^Symbol\.\w+$/.test(text)) found.push('[' + text + ']');
  });
  return found;
}
var inherited = { length: 1, name: 1, prototype: 1, arguments: 1, caller: 1 };
function addMembers(prefix, object) {
  membersOf(object).forEach(function (member) { if (!inherited[member]) names.push(prefix + '.' + member); });
}
membersOf(global).forEach(function (name) {
  if (/^(?:global|globalThis|GLOBAL|root|console|process|names|inherited|membersOf|addMembers)$/.test(name)) {
    if (/^(?:globalThis|GLOBAL|root)$/.test(name)) names.push(name);
    return;
  }
  names.push(name);
  var value;
  try { value = global[name]; } catch (error) { return; }
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return;
  addMembers(name, value);
  if (typeof value === 'function' && value.prototype) {
    membersOf(value.prototype).forEach(function (member) {
      if (value !== Function || !inherited[member]) names.push(name + '.prototype.' + member);
    });
  }
});
// What no global leads to, by the names that internal/start.js gives it. Before Node 6 each class had these members itself.
var typedArray = Object.getPrototypeOf(Int8Array);
if (typedArray === Function.prototype) typedArray = Int8Array;
addMembers('TypedArray', typedArray);
addMembers('TypedArray.prototype', typedArray.prototype);
['assert', 'assert/strict', 'async_hooks', 'buffer', 'console', 'crypto', 'dns', 'dns/promises', 'events', 'fs', 'fs/promises', 'os',
  'path', 'path/posix', 'perf_hooks', 'process', 'querystring', 'readline', 'readline/promises', 'string_decoder', 'timers',
  'timers/promises', 'url', 'util', 'util/types', 'zlib'].forEach(function (name) {
  var module;
  try { module = require(name); } catch (error) { return; }
  names.push(name + ':');
  Object.getOwnPropertyNames(module).forEach(function (member) {
    if (!inherited[member] && (name !== 'process' || member[0] !== '_')) names.push(name + ':' + member);
  });
});
console.log(names.join('\n'));
