// Arrays as texts: of themselves, of symbols, of nothing.
const a = [1];
a.push(a, 2);
console.log(String(a), a.join('-'), [a, a] + '', a.toLocaleString());
const b = [a];
a.push(b);
console.log(String(b), `${[b, [], [null, undefined], [[3]]]}`);
const told = (f) => { try { console.log(f()); } catch (e) { console.log(String(e)); } };
told(() => String([Symbol('s'), 0]));
told(() => '' + [Symbol()]);
told(() => [Symbol('s')].join('-'));
told(() => Array.prototype.join.call({ length: 2, 0: 'x', 1: 'y' }));
told(() => Array.prototype.join.call(null));
told(() => Array.prototype.join.call('abc', '+'));
told(() => [{ toString() { throw new Error('x'); } }, a].join());
told(() => a.join());
console.log(Array.prototype.join.length, Array.prototype.join.name, String(Array.prototype.join));
