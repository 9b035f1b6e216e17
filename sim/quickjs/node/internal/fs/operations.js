// The operations of fs as the requests that they consist of, for the callback, promise and Sync forms alike
// (lib/fs.js, lib/internal/fs/read/context.js, lib/internal/fs/promises.js, src/node_file.cc). How many there are differs
// between the forms and the versions; tests/javascript/fs/round-trips.js counts them.
//
// Each is a generator for internal/work.js. Arguments have been checked.
'use strict';

const { Buffer } = require('buffer');
const { abortErrorOf } = require('internal/validate');
const { atLeast } = require('internal/version');
const { givenTime, request } = require('internal/work');
const { operation } = require('internal/virtual_clock');
const { uvException } = require('internal/uv_errors');
const constants = require('internal/fs/constants');
const volume = require('internal/fs/volume');
const native = internalBinding;

const { O_RDWR, S_IFDIR, S_IFREG } = constants;
const kChunk = 512 * 1024;
const kReadTime = 100_000;  // of standard input, in ns

// ---- requests ---------------------------------------------------------------------------------------------------------------

// What a request on a node takes: the scenario's word for the file, or for all.
function timeFor(node, word) {
  const times = node?.times;
  if (times && Object.hasOwn(times, word)) return native.drawDuration(times[word]);
  return givenTime(`fs.${word}`) ?? (node?.isInput && word === 'read' ? kReadTime : 0);
}

// `word`: what a scenario calls the request. `name`: what the trace does.
function onPath(word, path, work, name = word) { return request(name, timeFor(volume.peek(path), word), work); }
function onDescriptor(word, fd, work, name = word) {
  let node;
  try {
    node = volume.descriptor(fd).node;
  } catch {
    // the request fails
  }
  return request(name, timeFor(node, word), work);
}

// An operation of one request.
function* single(word, path, work) { return yield onPath(word, path, work); }
function* singleDescriptor(word, fd, work) { return yield onDescriptor(word, fd, work); }

function checkSignal(signal) {
  if (signal?.aborted) throw abortErrorOf(signal);
}

function* open(path, flags, mode) { return yield openRequest(path, flags, mode); }
function openRequest(path, flags, mode) { return onPath('open', path, () => volume.open(path, flags, mode)); }
function closeRequest(fd) { return onDescriptor('close', fd, () => volume.close(fd)); }

// ---- whole files --------------------------------------------------------------------------------------------------------------

// How much a read asks for, and whether it goes on when a file's size is known to be read.
function readPlan(form, size) {
  if (form === 'promise' && !atLeast(14)) return { chunk: Math.min(size || 16384, 16384), readsToEnd: true };
  if (form !== 'callback') return { chunk: size === 0 ? 65536 : kChunk, readsToEnd: false };
  if (!atLeast(10)) return { chunk: size || 8192, readsToEnd: false };
  if (!atLeast(12)) return { chunk: 8192, readsToEnd: false };
  return { chunk: size === 0 ? 65536 : kChunk, readsToEnd: false };
}

function* readAll(fd, form, signal) {
  const node = yield onDescriptor('stat', fd, () => volume.descriptor(fd, 'fstat').node);
  checkSignal(signal);
  const size = node.type === S_IFREG ? node.size : 0;
  if (size > 2 ** 31 - 1) {
    const error = new RangeError(`File size (${size}) is greater than 2 GiB`);
    error.code = 'ERR_FS_FILE_TOO_LARGE';
    throw error;
  }
  return yield* readChunks(fd, form, size, signal);
}

function* readChunks(fd, form, size, signal) {
  const { chunk, readsToEnd } = readPlan(form, size);
  const endsShort = form === 'promise' && atLeast(18) && size > 0 && size <= kChunk;
  const parts = [];
  let total = 0;
  for (;;) {
    const length = readsToEnd || size === 0 ? chunk : Math.min(chunk, size - total);
    const buffer = Buffer.alloc(length);
    const count = yield onDescriptor('read', fd, () => volume.read(fd, buffer, 0, length));
    checkSignal(signal);
    if (count > 0) parts.push(count === length ? buffer : buffer.subarray(0, count));
    total += count;
    if (count === 0 || (!readsToEnd && total === size) || (endsShort && count < length)) break;
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts, total);
}

// `target`: a path, or a descriptor.
function* readFile(target, flags, form, signal) {
  if (typeof target === 'number') return yield* readAll(target, form, signal);
  if (atLeast(26) && form !== 'sync') return yield* readFileAtOnce(target, flags, form, signal);
  const fd = yield openRequest(target, flags, 0o666);
  try {
    checkSignal(signal);
    return yield* readAll(fd, form, signal);
  } finally {
    yield closeRequest(fd);
  }
}

// Since Node 26 one request opens the file, and reads and closes it too when it is small.
function* readFileAtOnce(path, flags, form, signal) {
  const node = volume.peek(path);
  const isThere = node !== undefined;
  const isSmall = !isThere || node.type !== S_IFREG || node.size <= kChunk;
  const words = !isThere ? ['open'] : isSmall ? ['open', 'stat', 'read', 'close'] : ['open', 'stat'];
  let bytes;
  let size;
  const time = words.reduce((sum, word) => sum + timeFor(node, word), 0);
  const fd = yield request('readFile', time, () => {
    const opened = volume.open(path, flags, 0o666);
    const { node: file } = volume.descriptor(opened);
    size = file.size;
    if (file.type === S_IFREG && file.size > kChunk) return opened;
    try {
      bytes = Buffer.alloc(file.type === S_IFREG ? file.size : 65536);
      bytes = bytes.subarray(0, volume.read(opened, bytes, 0, bytes.length));
    } catch (error) {
      throw uvException(error.code, 'read', path);
    } finally {
      volume.close(opened);
    }
    return -1;
  });
  if (fd < 0) {
    checkSignal(signal);
    return bytes;
  }
  try {
    checkSignal(signal);
    return yield* readChunks(fd, form, size, signal);
  } finally {
    yield closeRequest(fd);
  }
}

function* writeAll(fd, bytes, form, signal) {
  const most = form === 'promise' ? (atLeast(14) ? kChunk : 16384) : Infinity;
  if (form === 'promise' && bytes.length === 0) return;
  let from = 0;
  do {
    const part = bytes.subarray(from, Math.min(from + most, bytes.length));
    from += yield onDescriptor('write', fd, () => volume.write(fd, part));
    checkSignal(signal);
  } while (from < bytes.length);
}

function* writeFile(target, bytes, { flags, mode, flush, signal }, form) {
  if (typeof target === 'number') return yield* writeAll(target, bytes, form, signal);
  const isAtOnce = atLeast(26) && form !== 'sync' && !flush && (form === 'callback' || bytes.length <= kChunk);
  if (isAtOnce) {
    const node = volume.peek(target);
    const time = ['open', 'write', 'close'].reduce((sum, word) => sum + timeFor(node, word), 0);
    yield request('writeFile', time, () => {
      const fd = volume.open(target, flags, mode);
      try {
        volume.write(fd, bytes);
      } finally {
        volume.close(fd);
      }
    });
    return undefined;
  }
  const fd = yield openRequest(target, flags, mode);
  try {
    checkSignal(signal);
    yield* writeAll(fd, bytes, form, signal);
    if (flush) yield onDescriptor('fsync', fd, () => {});
  } finally {
    yield closeRequest(fd);
  }
  return undefined;
}

function* truncate(path, length, form) {
  const fd = yield openRequest(path, O_RDWR, 0o666);
  if (form === 'promise' && !atLeast(12)) {
    yield onDescriptor('truncate', fd, () => volume.truncate(fd, length));
    return;
  }
  try {
    yield onDescriptor('truncate', fd, () => volume.truncate(fd, length));
  } finally {
    yield closeRequest(fd);
  }
}

function* changeLink(path, change) { yield onPath('chmod', path, () => change(volume.find(path, 'lchown', false).node)); }

// ---- folders ------------------------------------------------------------------------------------------------------------------

// MKDirpAsync: a request for each folder that is tried.
function* mkdirAll(path, mode) {
  const waiting = [path];
  let made;
  while (waiting.length > 0) {
    const one = waiting.pop();
    let parent;
    yield onPath('mkdir', one, () => {
      try {
        volume.mkdir(one, mode);
        made ??= one;
      } catch (error) {
        if (error.code !== 'ENOENT') {
          const node = volume.peek(one);
          if (error.code === 'EEXIST' && node?.type === S_IFDIR) return;
          if (error.code === 'EEXIST' && waiting.length > 0) throw uvException('ENOTDIR', 'mkdir', path);
          throw error;
        }
        const at = one.replace(/\/+$/, '').lastIndexOf('/');
        parent = at > 0 ? one.slice(0, at) : at === 0 ? '/' : '.';
        if (parent === one) throw error;
      }
    });
    if (parent !== undefined) waiting.push(one, parent);
  }
  return made === undefined ? undefined : made.startsWith('/') ? made : `${volume.kFolder}/${made}`;
}

// The entries of a folder, or of all below it: { name, node, parent }, the parent as it is named from `path`.
function* readdir(path, isRecursive, form) {
  const first = yield onPath('readdir', path, () => volume.readdir(path));
  const all = first.map((entry) => ({ ...entry, parent: '' }));
  if (!isRecursive) return all;
  const isOne = form === 'sync' || atLeast(26) || (form === 'callback' && !atLeast(22));
  for (let i = 0; i < all.length; i++) {
    const { name, node, parent } = all[i];
    if (node.type !== S_IFDIR) continue;
    const below = parent ? `${parent}/${name}` : name;
    const list = () => volume.readdir(`${path}/${below}`);
    const entries = isOne ? list() : yield onPath('readdir', `${path}/${below}`, list);
    for (const entry of entries) all.push({ ...entry, parent: below });
  }
  return all;
}

// fs.realpath() of JavaScript: each part of the path is looked at.
function* realpath(path) {
  const parts = (path.startsWith('/') ? path : `${volume.kFolder}/${path}`).split('/').filter((part) => part && part !== '.');
  let done = '';
  for (let links = 0; parts.length > 0;) {
    const part = parts.shift();
    if (part === '..') {
      done = done.slice(0, Math.max(0, done.lastIndexOf('/')));
      continue;
    }
    const here = `${done}/${part}`;
    const node = yield onPath('lstat', here, () => volume.stat(here, false));
    if (node.type !== constants.S_IFLNK) {
      done = here;
      continue;
    }
    if (++links > 40) throw uvException('ELOOP', 'realpath', path);
    yield onPath('stat', here, () => volume.stat(here, true));
    const target = yield onPath('readlink', here, () => volume.readlink(here));
    if (target.startsWith('/')) done = '';
    parts.unshift(...target.split('/').filter((piece) => piece && piece !== '.'));
  }
  return done || '/';
}

// rm(): what rimraf does after lstat() has looked at the path.
function* rm(path, { force = false, recursive = false }) {
  try {
    const node = yield onPath('lstat', path, () => volume.stat(path, false));
    if (node.type === S_IFDIR && !recursive) {
      const error = new Error(`Path is a directory: rm returned EISDIR (is a directory) ${path}`);
      error.name = 'SystemError';
      Object.assign(error, { code: 'ERR_FS_EISDIR', errno: -21, syscall: 'rm', path });
      throw error;
    }
  } catch (error) {
    if (!force || error.code !== 'ENOENT') throw error;
  }
  yield* rimraf(path);
}

function* rimraf(path) {
  let node;
  try {
    node = yield onPath('lstat', path, () => volume.stat(path, false));
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (node.type !== S_IFDIR) {
    yield onPath('unlink', path, () => volume.unlink(path));
    return;
  }
  try {
    yield onPath('rmdir', path, () => volume.rmdir(path));
    return;
  } catch (error) {
    if (error.code !== 'ENOTEMPTY') throw error;
  }
  const entries = yield onPath('readdir', path, () => volume.readdir(path));
  for (const { name } of entries) yield* rimraf(`${path}/${name}`);
  yield onPath('rmdir', path, () => volume.rmdir(path));
}

function* cp(from, to, { recursive = false, force = true, errorOnExist = false, filter = undefined }, isTop = true) {
  if (filter && !filter(from, to)) return;
  const node = yield onPath('stat', from, () => volume.stat(from, true));
  let known;
  try {
    known = yield onPath('stat', to, () => volume.stat(to, true));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  if (isTop) {
    const parent = to.slice(0, Math.max(1, to.lastIndexOf('/')));
    yield onPath('stat', parent, () => volume.peek(parent));
    yield onPath('lstat', from, () => volume.stat(from, false));
    if (!volume.peek(parent)) yield* mkdirAll(parent, 0o777);
  }
  if (node.type === S_IFDIR) {
    if (!recursive) {
      const error = new Error(`Recursive option not enabled, cannot copy a directory: cp returned EISDIR (${from} is a directory ` +
                              `(not copied)) ${from}`);
      error.name = 'SystemError';
      throw Object.assign(error, { code: 'ERR_FS_EISDIR', errno: -21, syscall: 'cp', path: from });
    }
    if (known === undefined) yield onPath('mkdir', to, () => volume.mkdir(to, 0o777));
    const entries = yield onPath('readdir', from, () => volume.readdir(from));
    for (const { name } of entries) {
      yield* cp(`${from}/${name}`, `${to}/${name}`, { recursive, force, errorOnExist, filter }, false);
    }
    return;
  }
  if (known !== undefined && !force) {
    if (!errorOnExist) return;
    const error = new Error(`Target already exists: cp returned EEXIST (${to} already exists) ${to}`);
    error.name = 'SystemError';
    throw Object.assign(error, { code: 'ERR_FS_CP_EEXIST', errno: -17, syscall: 'cp', path: to });
  }
  yield onPath('copyFile', from, () => volume.copyFile(from, to, 0));
}

const kLetters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
function* mkdtemp(prefix) {
  return yield onPath('mkdtemp', prefix, () => {
    for (;;) {
      let name = '';
      for (let i = 0; i < 6; i++) name += kLetters[native.randomNumber() % kLetters.length];
      const path = prefix + name;
      if (volume.peek(path)) continue;
      try {
        volume.mkdir(path, 0o700);
      } catch (error) {
        throw uvException(error.code, 'mkdtemp', `${prefix}XXXXXX`);
      }
      return path;
    }
  });
}

// access(): the paths of the virtual clock are operations of a known time.
function* access(path, mode) {
  const told = operation(path);
  if (told) {
    yield request('access', told.time, () => { if (told.fails) throw uvException('EACCES', 'access', path); });
    return;
  }
  yield onPath('access', path, () => volume.access(path, mode));
}

module.exports = {
  access, changeLink, cp, mkdirAll, mkdtemp, onDescriptor, onPath, open, readFile, readdir, realpath, rm, single, singleDescriptor,
  truncate, writeFile,
};
