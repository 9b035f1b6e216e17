// Keys from passwords and salts of lengths around those of blocks.
const crypto = require('crypto');
for (const digest of ['sha1', 'sha224', 'sha256', 'sha384', 'sha512']) {
  for (const length of [0, 1, 55, 56, 63, 64, 111, 112, 119, 120, 127, 128, 129, 200]) {
    console.log(digest, length, crypto.pbkdf2Sync('p'.repeat(length), 's'.repeat(length), 3, 77, digest).toString('hex'));
  }
}
