'use strict';
const fs = require('fs');
const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, F_OK, R_OK, W_OK, X_OK, COPYFILE_EXCL, S_IFMT, S_IFREG, S_IFDIR } = fs.constants;
console.log(O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, F_OK, R_OK, W_OK, X_OK, COPYFILE_EXCL, S_IFMT, S_IFREG, S_IFDIR);
console.log(fs.promises === require('fs/promises'), fs === require('node:fs'), fs.promises.constants === fs.constants);
for (const name of ['readFile', 'readFileSync', 'writeFile', 'existsSync', 'stat', 'access', 'mkdtemp']) console.log(name, fs[name].name, typeof fs[name]);
console.log(Object.keys(fs.promises).length > 25, typeof fs.promises.readFile, fs.promises.readFile.name);
