// What a program could notice if it were changed: texts of functions, stacks, names, eval, with, arguments.
function shown(a, b = 2) { /* a comment */ return a + b; }
console.log(shown.toString(), shown.length, (() => 1).toString());
function thrower() {
  const x = 1; throw new Error('here ' + x);
}
try { thrower(); } catch (error) { console.log(error.stack); }
try {
  null.property;
} catch (error) { console.log(error.stack); }
try { let y = z; let z = 1; } catch (error) { console.log(error.stack); }
const named = function () { return new Error().stack.split('\n')[1]; };
console.log(named(), named.name);
console.log(eval('1 + 1'), (0, eval)('typeof shown'));
var direct = 1;
eval('direct = 2; var created = 3;');
console.log(direct, typeof created);
function sloppy() {
  with ({ inside: 5 }) { return inside; }
}
console.log(sloppy());
function aliased(a) { arguments[0] = 9; return [a, arguments.length, typeof this]; }
console.log(aliased(1, 2));
(function () { 'use strict'; console.log(this === undefined); })();
console.log(new Function('a', 'return a * 2')(4));
function deep(n) { if (n === 0) throw new RangeError('too deep'); return 1 + deep(n - 1); }
try { deep(1500); } catch (error) { console.log(error instanceof RangeError, error.message); }
label: { break label; }
implicit = 7;
console.log(globalThis.implicit, delete globalThis.implicit);
if (direct) function hoisted() { return 'hoisted'; }
console.log(typeof hoisted);
console.log([3, 1, 2].sort((a, b) => a - b), [..."ab"].entries().next());
process.on('exit', (code) => { console.log('exit', code); });
Promise.reject(new Error('unhandled')).catch((e) => console.log(e.stack));
