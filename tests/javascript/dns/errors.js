'use strict';
const dns = require('dns');
function attempt(fn) {
  try { console.log(String(fn).slice(6), '->', typeof fn()); } catch (error) { console.log(String(fn).slice(6), '->', error.name, error.code, error.message); }
}
attempt(() => dns.lookup('x'));
attempt(() => dns.lookup(5, () => {}));
attempt(() => dns.lookup('127.0.0.1', { family: 9 }, () => {}));
attempt(() => dns.resolve('x', 'NONSENSE', () => {}));
attempt(() => dns.resolve4(5, () => {}));
attempt(() => dns.resolve4('x'));
attempt(() => dns.lookupService('nonsense', 80, () => {}));
