// The descriptor itself, and what it is called in the file system.
// stdin: stdin.txt
'use strict';
const fs = require('fs');
const part = Buffer.alloc(6);
console.log(fs.readSync(0, part, 0, 6, null), part.toString());
console.log(fs.fstatSync(0).isFile(), fs.fstatSync(0).size);
console.log(JSON.stringify(fs.readFileSync('/dev/stdin', 'utf8')));
console.log(fs.readSync(0, part, 0, 6, null), part.toString());
console.log(fs.readSync(0, part, 0, 3, 0), part.toString());
process.stdin.on('data', (chunk) => console.log(JSON.stringify(chunk.toString())));
