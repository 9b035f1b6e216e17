'use strict';
// Every 100 ms two passwords are hashed, 20 ms of CPU each; every 11 ms somebody asks for a file.
const crypto = require('crypto');
const fs = require('fs');
const { performance } = require('perf_hooks');

const iterations = Number(process.env.PBKDF2_20MS) || 30000; // measured, on a real machine
const seen = [];

setInterval(() => {
  for (let i = 0; i < 2; i++) crypto.pbkdf2('password', 'salt', iterations, 64, 'sha512', () => {});
}, 100);
setInterval(() => {
  const start = performance.now();
  fs.stat('.', () => {
    const time = performance.now() - start;
    seen.push({ time, slow: time > 20 });
    if (seen.length < 510) return;
    for (const each of seen.slice(10)) console.log(JSON.stringify(each));
    process.exit();
  });
}, 11);
