// Stands for test/common/tmpdir.js: a folder for what a test writes.
'use strict';

const fs = require('fs');
const path = require('path');

const folder = path.join(__dirname, '..', '.tmp');

module.exports = {
  path: folder,
  resolve: (...parts) => path.resolve(folder, ...parts),
  fileURL: (...parts) => require('url').pathToFileURL(path.resolve(folder, ...parts)),
  hasEnoughSpace: () => true,
  refresh() {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder);
  },
};
