const path = require('path'); console.log(path.join('/a', '..', 'b', './c.txt'), path.basename('/x/y.js', '.js'), path.extname('a.b.c'),
  path.resolve('/a', 'b', '../c'), path.relative('/a/b', '/a/c/d'), path.parse('/data/u/f.txt'), path.sep, path.normalize('a//b/../c/'),
  path.isAbsolute('/a'));
const qs = require('querystring'); console.log(qs.parse('a=1&b=2&a=3&c=%20x+y'), qs.stringify({ a: [1, 2], b: 'x y', c: '' }),
  qs.escape('a b&c'), qs.unescape('a%20b'));
