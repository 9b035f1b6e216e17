'use strict';
const crypto = require('crypto');
for (const name of ['md5', 'sha1', 'sha256', 'sha384', 'sha512', 'sha3-256']) {
  console.log(name, crypto.createHmac(name, 'key').update('The quick brown fox').digest('hex'));
}
console.log(crypto.createHmac('sha256', Buffer.alloc(200, 1)).update('long key').digest('base64'));
console.log(crypto.createHmac('sha256', '').update('').digest('hex'));
const hmac = crypto.createHmac('sha1', 'k');
console.log(hmac.update('a').digest('hex'), JSON.stringify(hmac.digest('hex')));
