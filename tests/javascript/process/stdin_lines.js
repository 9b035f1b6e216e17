// Lines.
// stdin: stdin.txt
'use strict';
const readline = require('readline');
const lines = readline.createInterface({ input: process.stdin });
lines.on('line', (line) => console.log('line', JSON.stringify(line)));
lines.on('close', () => console.log('close'));
process.on('exit', () => console.log('exit'));
