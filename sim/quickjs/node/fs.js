// Files (lib/fs.js).
'use strict';

const native = internalBinding;
const { operation } = require('internal/virtual_clock');

function access(path, mode, callback) {
  if (typeof mode === 'function') callback = mode;
  const told = operation(String(path)) || { time: 0, fails: true };
  native.startWork('fs', 'access', told.time, told.fails ? 'EACCES' : undefined, callback, false);
}

module.exports = { access, constants: { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 } };
