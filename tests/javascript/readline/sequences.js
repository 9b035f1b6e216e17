'use strict';
const readline = require('readline');
const out = { write(text, done) { console.log(JSON.stringify(text)); if (done) done(); return true; } };
console.log(readline.clearLine(out, -1), readline.clearLine(out, 0), readline.clearLine(out, 1), readline.clearScreenDown(out));
console.log(readline.cursorTo(out, 4), readline.cursorTo(out, 1, 2), readline.moveCursor(out, -1, 3));
readline.cursorTo(out, 0, () => console.log('called back'));
console.log(readline.promises === require('readline/promises'));
