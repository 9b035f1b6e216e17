// stdout only
// Where calls stand that the program's text does not name: setters, `new` of an expression, what makes texts and numbers of objects.
function at(f) { try { f(); } catch (e) { console.log(e.stack.split('\n')[2].trim()); } }
var a = { set h(v) { throw new Error('set'); }, get g() { throw new Error('get'); }, set g(v) {} };
at(function () { a.h = 1; });
at(function () { a.h  =  1; });
at(function () { a . h = 1; });
at(function () { var x = a.h = 1; });
at(function () { a['h'] = 1; });
at(function () { var k = 'h'; a[k] = 1 + 2; });
at(function () { a.h += 1; });
at(function () { a.h++; });
at(function () { ++a.h; });
at(function () { Object.assign(a, { h: 1 }); });
at(function () {
  a
    .h
    = 1;
});
at(function () { a.h = (function () { return 1; })(); });
at(function () { var o = { toString() { throw new Error('ts'); } }; `a${o}b`; });
at(function () { var o = { toString() { throw new Error('ts'); } }; `a${ o }b${1}`; });
at(function () { var o = { toString() { throw new Error('ts'); } }; var r = { o: o }; `${1}a${r.o}b`; });
at(function () { var o = { toString() { throw new Error('ts'); } }; var f = () => o; `${1}a${f()}b`; });
at(function () { var o = { toString() { throw new Error('ts'); } }; var f = [o]; `${1}a${f[0]}b`; });
at(function () { `${{ toString() { throw new Error('ts'); } }}`; });
at(function () { var o = { toString() { throw new Error('ts'); } }; o + ''; });
at(function () { var o = { toString() { throw new Error('ts'); } }; 'x' + o; });
at(function () { var o = { valueOf() { throw new Error('ts'); } }; 1 * o; });
at(function () { var o = { valueOf() { throw new Error('ts'); } }; -o; });
at(function () { var o = { valueOf() { throw new Error('ts'); } }; o < 1; });
at(function () { var o = { toString() { throw new Error('ts'); } }; var q = {}; q[o]; });
at(function () { new (function F() { throw new Error('F'); })(); });
at(function () { new (function F() { throw new Error('F'); }); });
at(function () { new (class { constructor() { throw new Error('F'); } })(); });
at(function () { var g = () => function F() { throw new Error('F'); }; new (g())(1); });
at(function () { var g = { x: { F: function F() { throw new Error('F'); } } }; new g.x.F(1); });
at(function () { var g = { x: [function F() { throw new Error('F'); }] }; new g.x[0](1); });
at(function () { (function F() { throw new Error('F'); })(); });
at(function () { (() => { throw new Error('F'); })(); });

console.log(module.paths[0] === __dirname + '/node_modules', module.paths[module.paths.length - 1], module.paths.length > 1);
Error.prepareStackTrace = function (e, sites) { return sites; };
var site = Object.getPrototypeOf(new Error('x').stack[0]);
console.log(['isAsync', 'isPromiseAll', 'getPromiseIndex', 'isEval', 'getThis'].filter(function (name) { return name in site; }).join());
