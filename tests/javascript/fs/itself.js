'use strict';
// The commonest example: a program that reads its own file.
const fs = require('fs');
const path = require('path');
fs.readFile(__filename, 'utf8', (error, text) => {
  console.log(error, text.split('\n')[2], text.length === fs.statSync(__filename).size);
  fs.readFile(path.join(__dirname, 'itself.js'), (failure, bytes) => {
    console.log(bytes.length === fs.readFileSync('itself.js').length);
    fs.readFile('./errors.js', 'utf8', (problem, other) => {
      console.log(other.slice(0, 12));
      fs.readFile('./not-there.json', (missing) => console.log(missing.message));
    });
  });
});
console.log(fs.existsSync(__filename), fs.existsSync(__dirname), fs.statSync(__dirname).isDirectory(), fs.readdirSync(__dirname).includes('itself.js'));
console.log(fs.readFileSync(new URL(`file://${__filename}`)).equals(fs.readFileSync(Buffer.from(__filename))));
