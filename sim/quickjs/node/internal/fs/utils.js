// Arguments and results of fs (lib/internal/fs/utils.js).
'use strict';

const { Buffer } = require('buffer');
const { bufferOver } = require('internal/buffer_methods');
const { makeNodeError } = require('internal/errors');
const { inspect } = require('internal/inspect');
const { invalidArgType, outOfRange, validateFunction } = require('internal/validate');
const { atLeast } = require('internal/version');
const constants = require('internal/fs/constants');

const {
  O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_SYNC, O_TRUNC, O_WRONLY, S_IFMT, S_IFBLK, S_IFCHR, S_IFDIR, S_IFIFO, S_IFLNK,
  S_IFREG, S_IFSOCK, UV_DIRENT_CHAR, UV_DIRENT_DIR, UV_DIRENT_FILE, UV_DIRENT_LINK,
} = constants;

// ---- arguments ------------------------------------------------------------------------------------------------------------

function isUrl(value) {
  return value !== null && typeof value === 'object' && value.href && value.protocol && value.auth === undefined;
}

// A path as a text.
function toPath(value, name = 'path') {
  let path = value;
  if (isUrl(value)) path = require('url').fileURLToPath(value);
  else if (value instanceof Uint8Array) path = bufferOver(value).toString();
  if (typeof path !== 'string') {
    if (!atLeast(10)) throw new TypeError(`${name} must be a string${atLeast(6) ? ' or Buffer' : ''}`);
    throw invalidArgType(name, ['string', 'Buffer', 'URL'], value);
  }
  if (path.includes('\0')) {
    const kinds = atLeast(20) ? ', Uint8Array, or URL' : ' or Uint8Array';
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE',
                        `The ${name.includes('.') ? 'property' : 'argument'} '${name}' must be a string${kinds} ` +
                        `without null bytes. Received ${inspect(value)}`);
  }
  return path;
}

function checkCallback(callback) {
  if (typeof callback === 'function') return callback;
  if (atLeast(18)) validateFunction(callback, 'cb');
  if (atLeast(10)) {
    const tail = atLeast(12) ? `. Received ${inspect(callback)}` : '';
    throw makeNodeError(TypeError, 'ERR_INVALID_CALLBACK', `Callback must be a function${tail}`);
  }
  // Before 10 Node called nobody, and said so.
  return (error) => { if (error) throw error; };
}

// options as an object; a text is the encoding.
function optionsOf(options, defaults = {}) {
  if (options === null || options === undefined || typeof options === 'function') return defaults;
  const given = typeof options === 'string' ? { encoding: options } : options;
  if (typeof given !== 'object') throw invalidArgType('options', ['string', 'Object'], options);
  if (given.encoding && given.encoding !== 'buffer' && !Buffer.isEncoding(given.encoding)) {
    // Before 20 Node had the two the other way round.
    const [name, value] = atLeast(20) ? ['encoding', given.encoding] : [given.encoding, 'encoding'];
    throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument '${name}' is invalid encoding. Received ${inspect(value)}`);
  }
  return { ...defaults, ...given };
}

const flagsByName = {
  __proto__: null,
  r: O_RDONLY, rs: O_RDONLY | O_SYNC, sr: O_RDONLY | O_SYNC, 'r+': O_RDWR, 'rs+': O_RDWR | O_SYNC, 'sr+': O_RDWR | O_SYNC,
  w: O_TRUNC | O_CREAT | O_WRONLY, wx: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL, xw: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'w+': O_TRUNC | O_CREAT | O_RDWR, 'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL, 'xw+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  a: O_APPEND | O_CREAT | O_WRONLY, ax: O_APPEND | O_CREAT | O_WRONLY | O_EXCL, xa: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  as: O_APPEND | O_CREAT | O_WRONLY | O_SYNC, sa: O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'a+': O_APPEND | O_CREAT | O_RDWR, 'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL, 'xa+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'as+': O_APPEND | O_CREAT | O_RDWR | O_SYNC, 'sa+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
};

function flagsOf(flags, name = 'flags') {
  if (typeof flags === 'number') return flags;
  if (flags === null || flags === undefined) return O_RDONLY;
  const known = flagsByName[flags];
  if (known !== undefined) return known;
  throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument '${name}' is invalid. Received ${inspect(flags)}`);
}

function modeOf(mode, otherwise) {
  if (mode === null || mode === undefined) return otherwise;
  if (typeof mode === 'string') {
    if (!/^[0-7]+$/.test(mode)) {
      throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE',
                          `The argument 'mode' must be a 32-bit unsigned integer or an octal string. Received ${inspect(mode)}`);
    }
    return parseInt(mode, 8);
  }
  if (typeof mode !== 'number') throw invalidArgType('mode', 'number', mode);
  return mode;
}

function checkDescriptor(fd) {
  if (typeof fd !== 'number') throw invalidArgType('fd', 'number', fd);
  if (!Number.isInteger(fd)) throw outOfRange('fd', 'an integer', fd);
  if (fd < 0 || fd > 2147483647) throw outOfRange('fd', '>= 0 && <= 2147483647', fd);
  return fd;
}

// What is written, as bytes.
function bytesOf(data, encoding) {
  if (typeof data === 'string') return Buffer.from(data, encoding || 'utf8');
  if (ArrayBuffer.isView(data)) return bufferOver(data);
  if (!atLeast(14)) return Buffer.from(String(data), encoding || 'utf8');
  throw invalidArgType('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
}

function encoded(buffer, encoding) { return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer; }
function encodedName(name, encoding) { return encoding === 'buffer' ? Buffer.from(name) : name; }

// Seconds since 1970, a text of them, or a Date.
function timeOf(time) {
  if (typeof time === 'string' && +time === Number(time)) return Number(time) * 1000;
  if (Number.isFinite(time)) return time < 0 ? internalBinding.wallTime() : time * 1000;
  if (time instanceof Date) return time.getTime();
  throw invalidArgType('time', ['Date', 'Time in seconds'], time);
}

// ---- results --------------------------------------------------------------------------------------------------------------

class StatsBase {
  #is(type) { return (Number(this.mode) & S_IFMT) === type; }
  isDirectory() { return this.#is(S_IFDIR); }
  isFile() { return this.#is(S_IFREG); }
  isBlockDevice() { return this.#is(S_IFBLK); }
  isCharacterDevice() { return this.#is(S_IFCHR); }
  isSymbolicLink() { return this.#is(S_IFLNK); }
  isFIFO() { return this.#is(S_IFIFO); }
  isSocket() { return this.#is(S_IFSOCK); }
}

const kTimes = ['atime', 'mtime', 'ctime', 'birthtime'];

class Stats extends StatsBase {
  constructor(node) {
    super();
    Object.assign(this, {
      dev: 1, mode: node.mode, nlink: node.nlink, uid: node.uid, gid: node.gid, rdev: 0, blksize: 4096, ino: node.ino,
      size: node.size, blocks: Math.ceil(node.size / 4096) * 8,
    });
    if (atLeast(8)) for (const name of kTimes) this[`${name}Ms`] = node[name];
    for (const name of kTimes) this[name] = new Date(node[name]);
  }
}

class BigIntStats extends StatsBase {
  constructor(node) {
    super();
    const stats = new Stats(node);
    for (const key of Object.keys(stats)) this[key] = typeof stats[key] === 'number' ? BigInt(Math.floor(stats[key])) : stats[key];
    for (const name of kTimes) this[`${name}Ns`] = BigInt(Math.round(node[name] * 1e6));
  }
}

const kType = Symbol('type');
class Dirent {
  constructor(name, parentPath, node) {
    this.name = name;
    if (atLeast(18)) this.parentPath = parentPath;
    if (atLeast(18) && !atLeast(24)) this.path = parentPath;
    this[kType] = node.type === S_IFDIR ? UV_DIRENT_DIR : node.type === S_IFLNK ? UV_DIRENT_LINK
      : node.type === S_IFCHR ? UV_DIRENT_CHAR : UV_DIRENT_FILE;
  }
  isDirectory() { return this[kType] === UV_DIRENT_DIR; }
  isFile() { return this[kType] === UV_DIRENT_FILE; }
  isBlockDevice() { return false; }
  isCharacterDevice() { return this[kType] === UV_DIRENT_CHAR; }
  isSymbolicLink() { return this[kType] === UV_DIRENT_LINK; }
  isFIFO() { return false; }
  isSocket() { return false; }
}

module.exports = {
  BigIntStats, Dirent, Stats, bytesOf, checkCallback, checkDescriptor, encoded, encodedName, flagsOf, modeOf, optionsOf, timeOf,
  toPath,
};
