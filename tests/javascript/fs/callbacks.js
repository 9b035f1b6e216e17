'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { promisify } = require('util');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'callbacks-'));
const file = path.join(dir, 'file');
const clean = (args) => args.map((value) => (value instanceof Error ? value.message.replaceAll(dir, 'DIR') : typeof value === 'string' ? value.replace(dir, 'DIR') : value));
const steps = [
  (next) => fs.writeFile(file, 'hello', next), (next) => fs.appendFile(file, '!', next), (next) => fs.readFile(file, 'utf8', next),
  (next) => fs.access(file, next), (next) => fs.access(file, fs.constants.R_OK, next), (next) => fs.exists(file, next), (next) => fs.exists('', next),
  (next) => fs.stat(file, (error, stats) => next(error, stats.size, stats.isFile())), (next) => fs.copyFile(file, `${file}2`, next),
  (next) => fs.rename(`${file}2`, `${file}3`, next), (next) => fs.readdir(dir, next), (next) => fs.truncate(file, 2, next),
  (next) => fs.readFile(file, next), (next) => fs.mkdir(`${dir}/a/b`, { recursive: true }, next), (next) => fs.mkdir(`${dir}/a/b`, next),
  (next) => fs.rmdir(`${dir}/a/b`, next), (next) => fs.unlink(`${file}9`, next), (next) => fs.unlink(file, next), (next) => fs.readFile(file, next),
  (next) => fs.open(`${file}3`, 'r', (error, fd) => {
    fs.read(fd, Buffer.alloc(3), 0, 3, null, (failure, count, buffer) => {
      console.log('read', failure, count, buffer.toString());
      fs.read(fd, { buffer: Buffer.alloc(9) }, (second, rest, more) => {
        console.log('read', second, rest, more.toString('utf8', 0, rest));
        fs.close(fd, next);
      });
    });
  }),
  (next) => promisify(fs.readFile)(`${file}3`, 'utf8').then((text) => next(text)),
  (next) => promisify(fs.exists)(file).then(next),
  (next) => fs.rm(dir, { recursive: true }, next),
  (next) => fs.readdir(dir, next),
];
(function run(i) {
  if (i === steps.length) return;
  steps[i]((...args) => { console.log(i, clean(args)); run(i + 1); });
})(0);
