'use strict';
const fs = require('fs');
fs.readFile('/nowhere/at/all', (error) => {
  console.log(error);
  console.log(Object.keys(error), String(error));
  fs.open('/nowhere/at/all', (again) => console.log('%s %d', again.code, again.errno));
});
fs.stat(__filename, (error, stats) => {
  console.log(Object.keys(stats).filter((key) => !/time/.test(key)).join(' '));
  console.log(stats instanceof fs.Stats, stats.constructor.name);
});
fs.rename('/nowhere/a', '/nowhere/b', (error) => console.log(error));
