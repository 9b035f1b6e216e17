// virtual clock, stdout only. Several writes to the stream of a file, which go out together.
'use strict';
const fs = require('fs');
const path = '/tmp/loopsim-write-several';
const w = fs.createWriteStream(path);
w.write('a');
w.write('b', () => console.log('b is written'));
w.write('c');
w.on('finish', () => { console.log('finish', w.bytesWritten, fs.readFileSync(path, 'utf8')); fs.unlinkSync(path); });
w.end('d');
