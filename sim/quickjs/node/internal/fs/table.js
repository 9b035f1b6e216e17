// Each operation of fs: checks its arguments, and gives its requests. `form`: 'callback', 'promise' or 'sync'.
'use strict';

const { Buffer } = require('buffer');
const { bufferOver } = require('internal/buffer_methods');
const {
  invalidArgType, invalidArgValue, outOfRange, validateAbortSignal, validateBoolean, validateInteger,
} = require('internal/validate');
const { atLeast } = require('internal/version');
const constants = require('internal/fs/constants');
const operations = require('internal/fs/operations');
const volume = require('internal/fs/volume');
const {
  BigIntStats, Dirent, Stats, bytesOf, checkDescriptor, encoded, encodedName, flagsOf, modeOf, optionsOf, timeOf, toPath,
} = require('internal/fs/utils');

const { onDescriptor, onPath, single, singleDescriptor } = operations;

// The steps, with their result changed.
function* mapped(steps, change) { return change(yield* steps); }

function statsOf(node, options) { return options?.bigint ? new BigIntStats(node) : new Stats(node); }

function* statOrNothing(steps, options, form) {
  try {
    return statsOf(yield* steps, options);
  } catch (error) {
    if (form === 'sync' && options?.throwIfNoEntry === false && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

function target(path, name) { return typeof path === 'number' && atLeast(6) ? checkDescriptor(path) : toPath(path, name); }

function lengthOf(length) {
  validateInteger(length, 'len');
  return Math.max(0, length);
}

function direntsOf(entries, path, options) {
  const { encoding, withFileTypes } = options;
  const base = path.replace(/(.)\/+$/, '$1');
  return entries.map(({ name, node, parent }) => (withFileTypes
    ? new Dirent(encodedName(name, encoding), parent ? `${base}/${parent}` : base, node)
    : encodedName(parent ? `${parent}/${name}` : name, encoding)));
}

function writeSteps(form, path, data, options, flag) {
  const given = optionsOf(options, { encoding: 'utf8', mode: 0o666, flag, flush: false });
  if (given.signal !== undefined) validateAbortSignal(given.signal, 'options.signal');
  if (given.flush !== undefined && given.flush !== null && atLeast(20)) validateBoolean(given.flush, 'options.flush');
  const bytes = bytesOf(data, given.encoding);
  const plan = {
    flags: flagsOf(given.flag), mode: modeOf(given.mode, 0o666), flush: given.flush === true && atLeast(20), signal: given.signal,
  };
  return operations.writeFile(target(path), bytes, plan, form);
}

const table = {
  access(form, path, mode) { return operations.access(toPath(path), mode ?? constants.F_OK); },

  appendFile(form, path, data, options) { return writeSteps(form, path, data, options, 'a'); },

  chmod(form, path, mode) {
    const where = toPath(path);
    const bits = modeOf(mode);
    return single('chmod', where, () => volume.chmod(volume.find(where, 'chmod').node, bits));
  },

  chown(form, path, uid, gid) {
    const where = toPath(path);
    return single('chmod', where, () => volume.chown(volume.find(where, 'chown').node, uid, gid));
  },

  close(form, fd) {
    checkDescriptor(fd);
    return singleDescriptor('close', fd, () => volume.close(fd));
  },

  copyFile(form, from, to, mode) {
    const source = toPath(from, 'src');
    const dest = toPath(to, 'dest');
    return single('copyFile', source, () => volume.copyFile(source, dest, mode ?? 0));
  },

  cp(form, from, to, options) { return operations.cp(toPath(from, 'src'), toPath(to, 'dest'), options ?? {}); },

  fchmod(form, fd, mode) {
    checkDescriptor(fd);
    const bits = modeOf(mode);
    return singleDescriptor('chmod', fd, () => volume.chmod(volume.descriptor(fd, 'fchmod').node, bits));
  },

  fchown(form, fd, uid, gid) {
    checkDescriptor(fd);
    return singleDescriptor('chmod', fd, () => volume.chown(volume.descriptor(fd, 'fchown').node, uid, gid));
  },

  fdatasync(form, fd) {
    checkDescriptor(fd);
    return singleDescriptor('fsync', fd, () => { volume.descriptor(fd, 'fdatasync'); });
  },

  fstat(form, fd, options) {
    checkDescriptor(fd);
    return mapped(singleDescriptor('stat', fd, () => volume.descriptor(fd, 'fstat').node), (node) => statsOf(node, options));
  },

  fsync(form, fd) {
    checkDescriptor(fd);
    return singleDescriptor('fsync', fd, () => { volume.descriptor(fd, 'fsync'); });
  },

  ftruncate(form, fd, length = 0) {
    checkDescriptor(fd);
    const size = lengthOf(length ?? 0);
    return singleDescriptor('truncate', fd, () => volume.truncate(fd, size));
  },

  futimes(form, fd, atime, mtime) {
    checkDescriptor(fd);
    const times = [timeOf(atime), timeOf(mtime)];
    return singleDescriptor('utimes', fd, () => volume.utimes(volume.descriptor(fd, 'futime').node, ...times));
  },

  lchmod(form, path, mode) { return table.chmod(form, path, mode); },

  lchown(form, path, uid, gid) { return operations.changeLink(toPath(path), (node) => volume.chown(node, uid, gid)); },

  link(form, from, to) {
    const source = toPath(from, 'existingPath');
    const dest = toPath(to, 'newPath');
    return single('link', source, () => volume.link(source, dest));
  },

  lstat(form, path, options) {
    const where = toPath(path);
    return statOrNothing(single('lstat', where, () => volume.stat(where, false)), options, form);
  },

  lutimes(form, path, atime, mtime) {
    const where = toPath(path);
    const times = [timeOf(atime), timeOf(mtime)];
    return single('utimes', where, () => volume.utimes(volume.find(where, 'lutime', false).node, ...times));
  },

  mkdir(form, path, options) {
    const where = toPath(path);
    const isObject = options !== null && typeof options === 'object';
    const mode = modeOf(isObject ? options.mode : options, 0o777);
    if (isObject && options.recursive !== undefined) validateBoolean(options.recursive, 'options.recursive');
    if (!isObject || !options.recursive || !atLeast(10)) return single('mkdir', where, () => volume.mkdir(where, mode));
    return mapped(operations.mkdirAll(where, mode), (made) => (atLeast(14) ? made : undefined));
  },

  mkdtemp(form, prefix, options) {
    const { encoding } = optionsOf(options);
    return mapped(operations.mkdtemp(toPath(prefix, 'prefix')), (path) => encodedName(path, encoding));
  },

  open(form, path, flags, mode) {
    return operations.open(toPath(path), flagsOf(flags), modeOf(mode, 0o666));
  },

  readFile(form, path, options) {
    const given = optionsOf(options, { flag: 'r' });
    if (given.signal !== undefined) validateAbortSignal(given.signal, 'options.signal');
    const steps = operations.readFile(target(path), flagsOf(given.flag), form, given.signal);
    return mapped(steps, (bytes) => encoded(bytes, given.encoding));
  },

  readdir(form, path, options) {
    const given = optionsOf(options, { encoding: 'utf8' });
    const where = toPath(path);
    if (given.recursive != null && atLeast(18)) validateBoolean(given.recursive, 'options.recursive');
    const steps = operations.readdir(where, given.recursive === true && atLeast(18), form);
    return mapped(steps, (entries) => direntsOf(entries, where, atLeast(10) ? given : { encoding: given.encoding }));
  },

  readlink(form, path, options) {
    const { encoding } = optionsOf(options);
    const where = toPath(path, 'oldPath');
    return mapped(single('readlink', where, () => volume.readlink(where)), (name) => encodedName(name, encoding));
  },

  realpath(form, path, options) {
    const { encoding } = optionsOf(options);
    const where = toPath(path);
    const steps = form === 'promise' ? single('realpath', where, () => volume.realpath(where)) : operations.realpath(where);
    return mapped(steps, (name) => encodedName(name, encoding));
  },

  rename(form, from, to) {
    const source = toPath(from, 'oldPath');
    const dest = toPath(to, 'newPath');
    return single('rename', source, () => volume.rename(source, dest));
  },

  rm(form, path, options) {
    const where = toPath(path);
    if (options !== undefined && (options === null || typeof options !== 'object')) throw invalidArgType('options', 'object', options);
    return operations.rm(where, options ?? {});
  },

  rmdir(form, path, options) {
    const where = toPath(path);
    if (options?.recursive && atLeast(12) && !atLeast(26)) return operations.rm(where, { recursive: true, force: !atLeast(16) });
    return single('rmdir', where, () => volume.rmdir(where));
  },

  stat(form, path, options) {
    const where = toPath(path);
    return statOrNothing(single('stat', where, () => volume.stat(where, true)), options, form);
  },

  statfs(form, path) {
    const where = toPath(path);
    return single('stat', where, () => {
      volume.find(where, 'statfs');
      return { type: 0xef53, bsize: 4096, blocks: 1 << 21, bfree: 1 << 20, bavail: 1 << 20, files: 1 << 20, ffree: 1 << 19 };
    });
  },

  symlink(form, to, path) {
    const dest = toPath(to, 'target');
    const where = toPath(path);
    return single('symlink', where, () => volume.symlink(dest, where));
  },

  truncate(form, path, length = 0) {
    if (typeof path === 'number') return table.ftruncate(form, path, length);
    return operations.truncate(toPath(path), lengthOf(length ?? 0), form);
  },

  unlink(form, path) {
    const where = toPath(path);
    return single('unlink', where, () => volume.unlink(where));
  },

  utimes(form, path, atime, mtime) {
    const where = toPath(path);
    const times = [timeOf(atime), timeOf(mtime)];
    return single('utimes', where, () => volume.utimes(volume.find(where, 'utime').node, ...times));
  },

  writeFile(form, path, data, options) { return writeSteps(form, path, data, options, 'w'); },
};

// Of what the callback form gives its callback nothing but null.
const voids = new Set([
  'access', 'appendFile', 'chmod', 'chown', 'close', 'copyFile', 'cp', 'fchmod', 'fchown', 'fdatasync', 'fsync', 'ftruncate', 'futimes',
  'lchmod', 'lchown', 'link', 'lutimes', 'rename', 'rm', 'rmdir', 'symlink', 'truncate', 'unlink', 'utimes', 'writeFile',
]);

// ---- reads and writes at a descriptor ---------------------------------------------------------------------------------------

function checkView(buffer) {
  if (!ArrayBuffer.isView(buffer)) throw invalidArgType('buffer', ['Buffer', 'TypedArray', 'DataView'], buffer);
}

// { fd, buffer, offset, length, position } of the arguments of read(): all of them, or an object with some.
function readArguments(fd, buffer, offsetOrOptions, length, position) {
  checkDescriptor(fd);
  let offset = offsetOrOptions;
  if (buffer !== null && typeof buffer === 'object' && !ArrayBuffer.isView(buffer)) {
    ({ buffer = Buffer.alloc(16384), offset = 0, length = buffer.byteLength - offset, position = null } = buffer);
  } else if (buffer === undefined) {
    buffer = Buffer.alloc(16384);
  } else if (offset !== null && typeof offset === 'object') {
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset);
  }
  checkView(buffer);
  offset = offset ?? 0;
  validateInteger(offset, 'offset', 0);
  length = length === undefined ? buffer.byteLength - offset : length | 0;
  if (length > 0 && buffer.byteLength === 0) {
    throw invalidArgValue('buffer', buffer, 'is empty and cannot be written');
  }
  if (offset > buffer.byteLength) throw outOfRange('offset', `>= 0 && <= ${buffer.byteLength}`, offset);
  if (length < 0) throw outOfRange('length', '>= 0', length);
  if (length > buffer.byteLength - offset) throw outOfRange('length', `<= ${buffer.byteLength - offset}`, length);
  if (position !== null && position !== undefined && typeof position !== 'number' && typeof position !== 'bigint') {
    throw invalidArgType('position', ['integer', 'bigint'], position);
  }
  return { fd, buffer, offset, length, position: position ?? null };
}

function* read({ fd, buffer, offset, length, position }) {
  return yield onDescriptor('read', fd, () => volume.read(fd, bufferOver(buffer), offset, length, position));
}

function* readv(fd, buffers, position) {
  return yield onDescriptor('read', fd, () => {
    let total = 0;
    for (const buffer of buffers) {
      const at = typeof position === 'number' ? position + total : null;
      const count = volume.read(fd, bufferOver(buffer), 0, buffer.byteLength, at);
      total += count;
      if (count < buffer.byteLength) break;
    }
    return total;
  });
}

// The bytes and the position of the arguments of write(): of a buffer with offset, length, position, or of a text with
// position, encoding.
function writeArguments(fd, data, offsetOrOptions, length, position) {
  checkDescriptor(fd);
  if (typeof data === 'string') {
    return { fd, bytes: Buffer.from(data, typeof length === 'string' ? length : 'utf8'), position: offsetOrOptions ?? null };
  }
  if (!ArrayBuffer.isView(data)) {
    if (atLeast(14)) throw invalidArgType('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
    return { fd, bytes: Buffer.from(String(data)), position: null };
  }
  let offset = offsetOrOptions;
  if (offset !== null && typeof offset === 'object') ({ offset = 0, length, position = null } = offset);
  offset = offset ?? 0;
  validateInteger(offset, 'offset', 0);
  if (typeof length !== 'number') length = data.byteLength - offset;
  if (offset > data.byteLength) throw outOfRange('offset', `<= ${data.byteLength}`, offset);
  if (length > data.byteLength - offset) throw outOfRange('length', `<= ${data.byteLength - offset}`, length);
  if (length < 0) throw outOfRange('length', '>= 0', length);
  return { fd, bytes: bufferOver(data).subarray(offset, offset + length), position: typeof position === 'number' ? position : null };
}

function* write({ fd, bytes, position }) {
  return yield onDescriptor('write', fd, () => volume.write(fd, bytes, position));
}

function checkViews(buffers) {
  if (!Array.isArray(buffers) || !buffers.every((buffer) => ArrayBuffer.isView(buffer))) {
    throw invalidArgType('buffers', 'ArrayBufferView[]', buffers);
  }
}

function writev(fd, buffers, position) {
  checkDescriptor(fd);
  checkViews(buffers);
  return write({ fd, bytes: Buffer.concat(buffers.map(bufferOver)), position: typeof position === 'number' ? position : null });
}

// ---- folders one entry after another ------------------------------------------------------------------------------------------

function* opendir(path) {
  return yield onPath('opendir', path, () => volume.readdir(path, 'opendir'));
}

module.exports = {
  table, voids, readArguments, read, readv, writeArguments, write, writev, checkViews, opendir, direntsOf,
};
