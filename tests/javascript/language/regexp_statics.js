// stdout only
// RegExp.$1 and its kind: what they are, and what they tell after each method that matches.
var keys = Object.getOwnPropertyNames(RegExp).filter(function (key) { return !/^(?:arguments|caller)$/.test(key); }); console.log(keys.join());
keys.forEach(function (k) { var d = Object.getOwnPropertyDescriptor(RegExp, k); console.log(k, Object.keys(d).join(), d.enumerable, d.configurable, d.get && d.get.name, d.set && d.set.name, d.get && d.get.length, d.set && d.set.length, d.get === (Object.getOwnPropertyDescriptor(RegExp, 'input') || {}).get, d.get && 'prototype' in d.get, d.get && String(d.get), d.set && String(d.set)); });
function s(n, f) { f(); var a = [RegExp.$1, RegExp.$2, RegExp.$9, RegExp.lastMatch, RegExp['$&'], RegExp.lastParen, RegExp['$+'], RegExp.leftContext, RegExp['$`'], RegExp.rightContext, RegExp["$'"], RegExp.input, RegExp.$_]; console.log(n, JSON.stringify(a)); }
s('exec', function () { /(b)(c)?/.exec('abcd'); });
s('test', function () { /x(y)z/.test('wxyzw'); });
s('fails', function () { /k(a)/.exec('k1a2'); /zz/.test('no'); });
s('keeps', function () { /(q)/.exec('q'); /zz/.test('no'); });
s('match', function () { 'one two'.match(/(t)(w)/); });
s('match g', function () { 'one two ten'.match(/t(.)/g); });
s('search', function () { 'hello'.search(/l+/); });
s('replace', function () { 'hello'.replace(/(l)(l)/, 'x'); });
s('replace g', function () { 'hello world'.replace(/(o)/g, ''); });
s('replace g2', function () { 'hello world'.replace(/o/g, 'xx'); });
s('replace fn', function () { 'hello'.replace(/(e)/, function (m) { return RegExp.$1 + RegExp.leftContext; }); });
s('replace fn inner', function () { console.log('hello'.replace(/(e|l)/g, function (m) { return '<' + RegExp.$1 + '>'; })); });
s('split', function () { 'a1b2c'.split(/(\d)/); });
s('sticky', function () { var r = /(a)/y; r.lastIndex = 2; r.exec('bbab'); });
s('global', function () { var r = /(a)./g; var m; while ((m = r.exec('abacad'))); });
s('lastIndex', function () { var r = /(a)./g; r.lastIndex = 2; r.exec('abacad'); });
s('undefined group', function () { /(a)|(b)/.exec('b'); });
s('many', function () { /(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)/.exec('abcdefghijk'); });
s('ignore', function () { /(AB)/i.exec('xaby'); });
s('multi', function () { /^(b)$/m.exec('a\nb\nc'); });
s('unicode', function () { /(.)\u00e9/.exec('x\u00e9y'); });
s('set', function () { /(a)/.exec('xa'); RegExp.input = 'given'; RegExp.$1 = 'no'; RegExp.lastMatch = 'no'; });
s('set number', function () { RegExp.$_ = 5; });
s('after', function () { /(b)/.exec('xb'); });
s('heir', function () { Object.create(RegExp).input = 'heir'; });
s('string', function () { 'abc'.replace('b', 'x'); 'a,b'.split(','); });
s('compile', function () { var r = /(a)/; r.compile('(z)'); r.exec('xz'); });
s('long', function () { var t = ''; for (var i = 0; i < 100; i++) t += 'ab' + i; /(99)/.exec(t); RegExp.input; });
console.log(Object.getOwnPropertyDescriptor(RegExp, '$1').get.call({}), Object.keys(RegExp).join());
var re = /(\w+)@(\w+)/; if (re.test('me@home')) console.log(RegExp.$1 + ' at ' + RegExp.$2);
