'use strict';
const crypto = require('crypto');
for (const name of ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'SHA256', 'RSA-SHA256', 'sha512-256', 'sha3-256', 'sha3-512',
                    'ripemd160', 'blake2b512', 'blake2s256']) {
  console.log(name, crypto.createHash(name).update('hello').update(Buffer.from(' world')).digest('hex'));
}
console.log(crypto.createHash('sha256').digest('base64'), crypto.createHash('sha1').update('ä').digest('latin1').length);
console.log(crypto.createHash('sha256').update('é', 'latin1').digest('base64url'), crypto.createHash('md5').update('6869', 'hex').digest());
const hash = crypto.createHash('sha256').update('a');
const copy = hash.copy();
console.log(hash.digest('hex') === copy.digest('hex'), crypto.getHashes().includes('sha256'));
console.log(crypto.createHash('sha256').update(new Uint16Array([1, 2])).digest('hex'));
console.log(crypto.createHash('shake256', { outputLength: 8 }).update('x').digest('hex'));
