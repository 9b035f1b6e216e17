'use strict';
const crypto = require('crypto');
const { promisify } = require('util');
console.log(crypto.pbkdf2Sync('password', 'salt', 1, 20, 'sha1').toString('hex'));
console.log(crypto.pbkdf2Sync('password', 'salt', 50, 100, 'sha512').toString('hex'));
console.log(crypto.scryptSync('password', 'NaCl', 32, { N: 16, r: 2, p: 2 }).toString('hex'));
console.log(crypto.scryptSync('', '', 16, { cost: 16, blockSize: 1, parallelization: 1 }).toString('hex'));
console.log(Buffer.from(crypto.hkdfSync('sha512', 'key', 'salt', 'info', 64)).toString('hex'));
(async () => {
  console.log((await promisify(crypto.pbkdf2)('secret', 'salt', 10, 16, 'sha256')).toString('hex'));
  console.log((await promisify(crypto.scrypt)('secret', 'salt', 16, { N: 4 })).toString('hex'));
  crypto.hkdf('sha256', 'key', Buffer.alloc(3), '', 8, (error, key) => {
    console.log(error, key instanceof ArrayBuffer, Buffer.from(key).toString('hex'));
    crypto.pbkdf2('a', 'b', 2, 8, 'md5', function () { console.log(arguments.length, arguments[1].toString('hex')); });
  });
})();
