// Stands for test/common/fixtures.js: files of the tests, below a folder that the runner has put beside this one.
'use strict';

const fs = require('fs');
const path = require('path');

const folder = path.join(__dirname, '..', 'fixtures');
const inFolder = (...parts) => path.join(folder, ...parts);

module.exports = {
  fixturesDir: folder,
  path: inFolder,
  fileURL: (...parts) => require('url').pathToFileURL(inFolder(...parts)),
  readSync: (parts, encoding) => fs.readFileSync(Array.isArray(parts) ? inFolder(...parts) : inFolder(parts), encoding),
  readKey: (name, encoding) => fs.readFileSync(inFolder('keys', name), encoding),
};
