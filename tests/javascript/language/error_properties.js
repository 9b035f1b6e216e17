// The own properties of errors, in order: the stack is first.
const names = (e) => Object.getOwnPropertyNames(e).join();
console.log(names(new Error('a')), names(new Error()), names(new Error('a', { cause: 1 })));
if (typeof AggregateError === 'function') console.log(names(new AggregateError([1], 'm', { cause: 1 })), names(new AggregateError([1])));
class E extends Error { constructor(m) { super(m); this.code = 1; } }
console.log(names(new E('x')), names(new E()));
try { null.x; } catch (e) { console.log(names(e)); }
try { nope; } catch (e) { console.log(names(e)); }
try { require('fs').readFileSync('/nope'); } catch (e) { console.log(names(e)); }
const o = { a: 1 }; Error.captureStackTrace(o); console.log(names(o));
console.log(JSON.stringify(new Error('b'), ['message', 'name']), Object.keys(JSON.parse(JSON.stringify(new Error('c'), Object.getOwnPropertyNames(new Error('c'))))));
Promise.reject(new RangeError('r')).catch((e) => console.log(names(e)));
try { JSON.parse('{'); } catch (e) { console.log(names(e)); }
try { new Function('let let'); } catch (e) { console.log(names(e)); }
if (typeof DOMException === 'function') console.log(names(new DOMException('a')));
if (typeof structuredClone === 'function') console.log(names(structuredClone(new Error('z'))));

try { require('fs').readFileSync('/nope'); } catch (e) { console.log(Object.getOwnPropertyNames(e).join(), Object.keys(e).join()); }
require('fs').readFile('/nope', function (e) { console.log(Object.getOwnPropertyNames(e).join(), Object.keys(e).join());  });
try { process.kill(99999999, 0); } catch (e) { console.log(Object.getOwnPropertyNames(e).join(), Object.keys(e).join()); }
