'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'append-')), 'log');
let left = 3;
(function again() {
  if (left-- > 0) return fs.appendFile(file, `line ${left}\n`, again);
  fs.readFile(file, 'utf8', (error, text) => {
    console.log(text.trim().split('\n'));
    const fd = fs.openSync(file, 'ax', 0o600);
    return fd;
  });
})();
process.on('uncaughtException', (error) => {
  console.log(error.code, error.syscall);
  fs.rmSync(path.dirname(file), { recursive: true });
});
