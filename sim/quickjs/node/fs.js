// Files (lib/fs.js), in the memory of the run (internal/fs/volume.js). What an operation is made of, in requests to the
// pool, is in internal/fs/operations.js.
'use strict';

const { makeNodeError } = require('internal/errors');
const { validateFunction } = require('internal/validate');
const { atLeast, removeAbsent } = require('internal/version');
const { runSync, start } = require('internal/work');
const constants = require('internal/fs/constants');
const { Dirent, Stats, checkCallback, checkDescriptor, optionsOf, toPath } = require('internal/fs/utils');
const {
  checkViews, opendir: openFolder, read: readSteps, readArguments, readv: readvSteps, table, voids, write: writeSteps, writeArguments,
  writev: writevSteps,
} = require('internal/fs/table');

const kPromisify = Symbol.for('nodejs.util.promisify.custom');

const fs = module.exports;

function named(fn, name, length) {
  Object.defineProperty(fn, 'name', { __proto__: null, value: name, configurable: true });
  if (length !== undefined) Object.defineProperty(fn, 'length', { __proto__: null, value: length, configurable: true });
  return fn;
}

function promisified(fn, make) {
  Object.defineProperty(fn, kPromisify, { __proto__: null, value: make(fn), configurable: true });
}

// ---- the callback and the Sync form of most ---------------------------------------------------------------------------------

// How many arguments must be there before the callback, where it is not one.
const required = {
  __proto__: null, appendFile: 2, chmod: 2, chown: 3, copyFile: 2, cp: 2, fchmod: 2, fchown: 3, futimes: 3, lchmod: 2, lchown: 3, link: 2,
  lutimes: 3, rename: 2, symlink: 2, utimes: 3, writeFile: 2,
};

for (const name of Object.keys(table)) {
  const isVoid = voids.has(name);
  const least = required[name] ?? 1;
  fs[name] = named((...args) => {
    const callback = checkCallback(args.length > least ? args.pop() : undefined);
    const steps = table[name]('callback', ...args);
    start('fs', name, steps, (error, value) => {
      if (error) callback(error);
      else if (isVoid) callback(null);
      else callback(null, value);
    }, callback);
  }, name, table[name].length);
  fs[`${name}Sync`] = named((...args) => runSync(table[name]('sync', ...args)), `${name}Sync`, table[name].length - 1);
}

// close(fd): the callback may be missing.
const { close } = fs;
fs.close = named((fd, callback) => close(fd, callback ?? ((error) => { if (error) throw error; })), 'close', 1);

fs.realpath.native = named((path, options, callback) => {
  const done = checkCallback(callback ?? options);
  start('fs', 'realpath', table.realpath('promise', path, options), done, done);
}, 'native');
fs.realpathSync.native = named((path, options) => runSync(table.realpath('promise', path, options)), 'native');

// ---- what there is -----------------------------------------------------------------------------------------------------------

fs.exists = named((path, callback) => {
  validateFunction(callback, 'cb');
  let steps;
  try {
    steps = table.access('callback', toPath(path));
  } catch {
    callback(false);
    return;
  }
  start('fs', 'exists', steps, (error) => callback(!error), callback);
}, 'exists', 2);
promisified(fs.exists, (exists) => function exists_(path) { return new Promise((resolve) => exists(path, resolve)); });

fs.existsSync = named((path) => {
  try {
    runSync(table.access('sync', toPath(path)));
    return true;
  } catch {
    return false;
  }
}, 'existsSync', 1);

// ---- reads and writes -----------------------------------------------------------------------------------------------------------

fs.read = named((fd, ...args) => {
  const callback = checkCallback(args.pop());
  const given = readArguments(fd, ...args);
  start('fs', 'read', readSteps(given), (error, count) => {
    if (error) callback(error, 0, given.buffer);
    else callback(null, count, given.buffer);
  }, callback);
}, 'read', 6);
promisified(fs.read, (read) => (...args) => new Promise((resolve, reject) => {
  read(...args, (error, bytesRead, buffer) => { if (error) reject(error); else resolve({ bytesRead, buffer }); });
}));
fs.readSync = named((fd, ...args) => runSync(readSteps(readArguments(fd, ...args))), 'readSync', 5);

fs.write = named((fd, data, ...args) => {
  const callback = checkCallback(args.pop());
  start('fs', 'write', writeSteps(writeArguments(fd, data, ...args)), (error, count) => {
    if (error) callback(error, 0, data);
    else callback(null, count, data);
  }, callback);
}, 'write', 6);
promisified(fs.write, (write) => (...args) => new Promise((resolve, reject) => {
  write(...args, (error, bytesWritten, buffer) => { if (error) reject(error); else resolve({ bytesWritten, buffer }); });
}));
fs.writeSync = named((fd, data, ...args) => runSync(writeSteps(writeArguments(fd, data, ...args))), 'writeSync', 5);

fs.readv = named((fd, buffers, position, callback) => {
  checkDescriptor(fd);
  checkViews(buffers);
  const done = checkCallback(callback ?? position);
  start('fs', 'readv', readvSteps(fd, buffers, position), (error, count) => done(error, count ?? 0, buffers), done);
}, 'readv', 4);
fs.readvSync = named((fd, buffers, position) => {
  checkDescriptor(fd);
  checkViews(buffers);
  return runSync(readvSteps(fd, buffers, position));
}, 'readvSync', 3);
fs.writev = named((fd, buffers, position, callback) => {
  const done = checkCallback(callback ?? position);
  start('fs', 'writev', writevSteps(fd, buffers, position), (error, count) => done(error, count ?? 0, buffers), done);
}, 'writev', 4);
fs.writevSync = named((fd, buffers, position) => runSync(writevSteps(fd, buffers, position)), 'writevSync', 3);

// ---- folders ----------------------------------------------------------------------------------------------------------------------

fs.opendir = named((path, options, callback) => {
  const done = checkCallback(callback ?? options);
  const where = toPath(path);
  const { Dir } = require('internal/fs/dir');
  start('fs', 'opendir', openFolder(where), (error, entries) => {
    if (error) done(error);
    else done(null, new Dir(where, entries, optionsOf(options)));
  }, done);
}, 'opendir', 3);
fs.opendirSync = named((path, options) => {
  const where = toPath(path);
  const { Dir } = require('internal/fs/dir');
  return new Dir(where, runSync(openFolder(where)), optionsOf(options));
}, 'opendirSync', 1);

// ---- what there is not -------------------------------------------------------------------------------------------------------------

for (const name of ['watch', 'watchFile', 'unwatchFile']) {
  fs[name] = named(() => {
    throw makeNodeError(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
                        `fs.${name}() is not in loopsim: nothing but the program changes its files (docs/javascript.md)`);
  }, name, name === 'unwatchFile' ? 2 : 3);
}

fs.openAsBlob = named(() => {
  throw makeNodeError(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', 'fs.openAsBlob() is not in loopsim (docs/javascript.md)');
}, 'openAsBlob', 1);

// ---- streams: once the program asks for them -----------------------------------------------------------------------------------------

fs.createReadStream = named((path, options) => new (require('internal/fs/streams').classes().ReadStream)(path, options),
                            'createReadStream', 2);
fs.createWriteStream = named((path, options) => new (require('internal/fs/streams').classes().WriteStream)(path, options),
                             'createWriteStream', 2);
for (const [name, own] of [['ReadStream', 'ReadStream'], ['WriteStream', 'WriteStream'], ['FileReadStream', 'ReadStream'],
                           ['FileWriteStream', 'WriteStream']]) {
  Object.defineProperty(fs, name, {
    __proto__: null, enumerable: true, configurable: true,
    get() { return require('internal/stream_classes').classesOf('internal/fs/streams')[own]; },
    set(value) { Object.defineProperty(fs, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true }); },
  });
}

Object.assign(fs, { Dirent, Stats, constants, F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 });
Object.defineProperty(fs, 'Dir', {
  __proto__: null, enumerable: true, configurable: true, get() { return require('internal/fs/dir').Dir; },
});
fs._toUnixTimestamp = (time) => (typeof time === 'number' ? time : +time / 1000);
let isWarned = false;
Object.defineProperty(fs, 'promises', {
  __proto__: null, configurable: true, enumerable: true,
  get() {
    if (!atLeast(11) && !isWarned) {
      isWarned = true;
      require('internal/warning').emitWarning('The fs.promises API is experimental', 'ExperimentalWarning');
    }
    const promises = require('fs/promises');
    removeAbsent([
      [promises, 'constants', '18.4 16.17'], [promises, 'cp', '16.7'], [promises, 'lutimes', '14.5 12.19'],
      [promises, 'opendir', '12.12'], [promises, 'rm', '14.14'], [promises, 'statfs', '19.6 18.15'], [promises, 'watch', '15.9 14.18'],
    ]);
    return promises;
  },
});
