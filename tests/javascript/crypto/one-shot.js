'use strict';
const crypto = require('crypto');
if (!crypto.hash) {
  console.log('no crypto.hash');
} else {
  console.log(crypto.hash('sha1', 'hello'), crypto.hash('sha256', Buffer.from('x'), 'base64'), crypto.hash('md5', 'x', 'buffer'));
  try { crypto.hash('nonsense', 'x'); } catch (error) { console.log(error.message); }
}
