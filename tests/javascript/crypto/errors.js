'use strict';
const crypto = require('crypto');
function attempt(fn) {
  try { console.log(String(fn).slice(6), '->', fn()); } catch (error) { console.log(String(fn).slice(6), '->', error.name, error.code, error.message); }
}
attempt(() => crypto.createHash());
attempt(() => crypto.createHash('nonsense'));
attempt(() => crypto.createHash('sha256').update());
attempt(() => crypto.createHash('sha256').update(5));
attempt(() => { const hash = crypto.createHash('md5'); hash.digest(); hash.update('x'); });
attempt(() => { const hash = crypto.createHash('md5'); hash.digest(); hash.digest(); });
attempt(() => crypto.createHmac('nonsense', 'key'));
attempt(() => crypto.createHmac('sha256'));
attempt(() => crypto.randomBytes());
attempt(() => crypto.randomBytes(-1));
attempt(() => crypto.randomBytes('5'));
attempt(() => crypto.randomBytes(5, 5));
attempt(() => crypto.randomInt(5, 1));
attempt(() => crypto.randomInt(1.5));
attempt(() => crypto.pbkdf2('a', 'b', 0, 1, 'sha1', () => {}));
attempt(() => crypto.pbkdf2('a', 'b', 1, 1, () => {}));
attempt(() => crypto.pbkdf2('a', 'b', 1, 1, 'sha1'));
attempt(() => crypto.pbkdf2('a', 'b', 1, 1, 'nonsense', () => {}));
attempt(() => crypto.pbkdf2Sync(5, 'b', 1, 1, 'sha1'));
attempt(() => crypto.scryptSync('a', 'b', 8, { N: 3 }));
attempt(() => crypto.timingSafeEqual(Buffer.alloc(1), Buffer.alloc(2)));
attempt(() => crypto.hkdfSync('sha256', 'a', 'b', 'c', 100000));
attempt(() => crypto.hkdfSync('nonsense', 'a', 'b', 'c', 1));
