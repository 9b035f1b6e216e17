// What iterators of maps and sets have not given yet, texts in quotes, and marks of formats.
var m = new Map([[1, 2], [3, { a: 1 }]]), s = new Set([5, 'x']); var i = m.entries(); i.next();
console.log(m.entries(), i, m.values(), m.keys(), s.entries(), s.values(), [m.keys()], m[Symbol.iterator]()); i.next(); console.log(i); i.next(); console.log(i);
m.delete(1); console.log(m.keys(), new Map().keys(), new Set([new Set([1])]).values()); var j = s.values(); j.next(); s.delete('x'); s.add('later'); console.log(j, j.next().value, j);
console.log(['\u007f\u0085a\u0000\u001b\b\v', 'it\'s', 'a`\'"', '"', 'x\ud800', '${\'"'], { 'a\'b': 1, 'c\u0001': 2, "it's": { d: "'" } });
console.log('%c a %o %O', 'x', 1, { a: 1 });
