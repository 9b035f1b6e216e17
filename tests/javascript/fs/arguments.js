'use strict';
const fs = require('fs');
function attempt(fn) {
  try { console.log(String(fn).slice(6), '->', fn()); } catch (error) { console.log(String(fn).slice(6), '->', error.name, error.code, error.message); }
}
attempt(() => fs.readFile());
attempt(() => fs.readFile(__filename));
attempt(() => fs.readFile(__filename, 'utf8'));
attempt(() => fs.readFile(undefined, () => {}));
attempt(() => fs.readFileSync());
attempt(() => fs.readFileSync({}));
attempt(() => fs.readFileSync(__filename, 'nonsense'));
attempt(() => fs.readFileSync(__filename, 5));
attempt(() => fs.readFileSync('a\0b'));
attempt(() => fs.stat(__filename));
attempt(() => fs.stat(null, () => {}));
attempt(() => fs.writeFileSync('x', { a: 1 }));
attempt(() => fs.writeFileSync('x', undefined));
attempt(() => fs.writeFile('x', 'y'));
attempt(() => fs.openSync(__filename, 'nonsense'));
attempt(() => fs.openSync(__filename, 'r', '9'));
attempt(() => fs.closeSync('a'));
attempt(() => fs.closeSync(-1));
attempt(() => fs.closeSync(1.5));
attempt(() => fs.readSync(5, 'text'));
attempt(() => fs.exists(__filename));
attempt(() => fs.mkdirSync('x', { recursive: 5 }));
fs.promises.readFile().catch((error) => console.log('promise', error.code));
