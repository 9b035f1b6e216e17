'use strict';
// Sync forms call nobody: what was waiting goes on waiting.
const fs = require('fs');
setTimeout(() => console.log('timeout'), 0);
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('reaction'));
for (let i = 0; i < 20; i++) fs.readFileSync(__filename);
console.log('still the main script');
