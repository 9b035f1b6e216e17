// stdout only
const url = new URL('../x?y=1#z', 'https://user:pw@example.org:8080/a/b/c'); console.log(url, url.toString(), JSON.stringify(url));
url.searchParams.append('k', 'v w'); console.log(url.href, url.searchParams.get('y'), [...url.searchParams.keys()], url.searchParams.size,
  URL.canParse('nope'));
try { new URL('nope') } catch (e) { console.log(e.name, e.code, e.message, e.input) }
console.log(require('url').parse('http://a.com:80/p?q=1#h'), require('url').format({ protocol: 'http', host: 'x.y', pathname: '/z',
  query: { a: 1 } }), require('url').fileURLToPath('file:///a/b%20c'));
