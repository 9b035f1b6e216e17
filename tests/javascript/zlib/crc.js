'use strict';
const zlib = require('zlib');
console.log(zlib.crc32 ? [zlib.crc32('hello'), zlib.crc32(Buffer.from('world'), zlib.crc32('hello ')), zlib.crc32('')] : 'no crc32');
