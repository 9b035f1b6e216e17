'use strict';
// What a thread of the pool has done is done, also before its callback is called.
const fs = require('fs');
const os = require('os');
const path = require('path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'seen-'));
const file = path.join(dir, 'file');
fs.mkdir(path.join(dir, 'sub'), () => console.log('mkdir called back'));
const end = Date.now() + 50;
while (Date.now() < end);
console.log('made', fs.existsSync(path.join(dir, 'sub')));
fs.writeFile(file, 'first', () => {
  console.log(fs.readFileSync(file, 'utf8'));
  fs.writeFile(file, 'second', () => {
    fs.appendFileSync(file, ' and third');
    fs.readFile(file, 'utf8', (error, text) => {
      console.log(text);
      const fd = fs.openSync(file, 'w');
      fs.write(fd, 'a', () => fs.write(fd, 'b', () => fs.write(fd, 'c', 0, () => {
        fs.closeSync(fd);
        console.log(fs.readFileSync(file, 'utf8'));
        fs.rmSync(dir, { recursive: true });
      })));
    });
  });
});
