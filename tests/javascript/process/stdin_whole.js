// As programs read all of it at once.
// stdin: stdin.txt
const text = require('fs').readFileSync(0).toString();
console.log(text.length, text.split('\n'));
process.stdin.on('data', () => console.log('more')).on('end', () => console.log('end'));
