// fs/promises (lib/internal/fs/promises.js).
'use strict';

const EventEmitter = require('events');
const { makeNodeError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validate');
const { atLeast } = require('internal/version');
const { startPromise } = require('internal/work');
const constants = require('internal/fs/constants');
const { optionsOf, toPath } = require('internal/fs/utils');
const tables = require('internal/fs/table');

const { table } = tables;

function isIterable(data) {
  return data !== null && typeof data === 'object' && !ArrayBuffer.isView(data) &&
    (typeof data[Symbol.asyncIterator] === 'function' || typeof data[Symbol.iterator] === 'function');
}

// ---- FileHandle -----------------------------------------------------------------------------------------------------------

class FileHandle extends EventEmitter {
  #fd;
  #closing;
  constructor(fd) {
    super();
    this.#fd = fd;
  }
  get fd() { return this.#fd; }
  getAsyncId() { return 0; }

  #run(name, ...args) {
    if (this.#fd < 0) return Promise.reject(fileClosed());
    let steps;
    try {
      steps = table[name]('promise', this.#fd, ...args);
    } catch (error) {
      return Promise.reject(error);
    }
    return startPromise('fs', name, steps);
  }

  appendFile(data, options) { return writeTo(this, data, options, 'appendFile'); }
  chmod(mode) { return this.#run('fchmod', mode); }
  chown(uid, gid) { return this.#run('fchown', uid, gid); }
  datasync() { return this.#run('fdatasync'); }
  sync() { return this.#run('fsync'); }
  readFile(options) { return this.#run('readFile', options); }
  stat(options) { return this.#run('fstat', options); }
  truncate(length) { return this.#run('ftruncate', length); }
  utimes(atime, mtime) { return this.#run('futimes', atime, mtime); }
  writeFile(data, options) { return writeTo(this, data, options, 'writeFile'); }
  write_(name, data, options) { return this.#run(name, data, options); }

  async read(buffer, offset, length, position) {
    if (this.#fd < 0) throw fileClosed();
    const given = tables.readArguments(this.#fd, buffer, offset, length, position);
    const bytesRead = await startPromise('fs', 'read', tables.read(given));
    return { __proto__: null, bytesRead, buffer: given.buffer };
  }

  async readv(buffers, position) {
    if (this.#fd < 0) throw fileClosed();
    tables.checkViews(buffers);
    const bytesRead = await startPromise('fs', 'readv', tables.readv(this.#fd, buffers, position));
    return { __proto__: null, bytesRead, buffers };
  }

  async write(data, offset, length, position) {
    if (this.#fd < 0) throw fileClosed();
    if (ArrayBuffer.isView(data) && data.byteLength === 0) return { __proto__: null, bytesWritten: 0, buffer: data };
    const steps = tables.write(tables.writeArguments(this.#fd, data, offset, length, position));
    const bytesWritten = await startPromise('fs', 'write', steps);
    return { __proto__: null, bytesWritten, buffer: data };
  }

  async writev(buffers, position) {
    if (this.#fd < 0) throw fileClosed();
    const bytesWritten = await startPromise('fs', 'writev', tables.writev(this.#fd, buffers, position));
    return { __proto__: null, bytesWritten, buffers };
  }

  close() {
    if (this.#closing) return this.#closing;
    if (this.#fd < 0) return Promise.resolve();
    const steps = table.close('promise', this.#fd);
    this.#fd = -1;
    this.#closing = (async () => {
      await startPromise('fs', 'close', steps);
      this.#closing = undefined;
      this.emit('close');
    })();
    return this.#closing;
  }

  readLines(options) {
    return require('readline').createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }
  createReadStream(options) { return require('fs').createReadStream(undefined, { ...options, fd: this }); }
  createWriteStream(options) { return require('fs').createWriteStream(undefined, { ...options, fd: this }); }
}
if (Symbol.asyncDispose) {
  Object.defineProperty(FileHandle.prototype, Symbol.asyncDispose, {
    __proto__: null, configurable: true, writable: true, value: async function () { await this.close(); },
  });
}
const { write_ } = FileHandle.prototype;
delete FileHandle.prototype.write_;

function fileClosed() {
  const error = makeNodeError(Error, 'EBADF', 'file closed');
  error.syscall = undefined;
  return error;
}

// Data may be what is iterated over.
async function writeTo(handle, data, options, name) {
  if (!isIterable(data)) return await Reflect.apply(write_, handle, [name, data, options]);
  const { encoding, signal } = optionsOf(options);
  for await (const chunk of data) {
    signal?.throwIfAborted();
    await handle.write(typeof chunk === 'string' ? require('buffer').Buffer.from(chunk, encoding || 'utf8') : chunk);
  }
  return undefined;
}

// ---- functions --------------------------------------------------------------------------------------------------------------

function fdOf(handle) { return handle instanceof FileHandle ? handle.fd : handle; }

const promises = module.exports;

const names = [
  'access', 'appendFile', 'chmod', 'chown', 'copyFile', 'cp', 'lchmod', 'lchown', 'link', 'lstat', 'lutimes', 'mkdir', 'mkdtemp',
  'readFile',
  'readdir', 'readlink', 'realpath', 'rename', 'rm', 'rmdir', 'stat', 'statfs', 'symlink', 'truncate', 'unlink', 'utimes', 'writeFile',
];
// What opens its file first: before Node 26 a wrong path is an exception of that function, which is waited for.
const opening = new Set(['appendFile', 'readFile', 'truncate', 'writeFile']);

function isPath(target) {
  try {
    return typeof toPath(target) === 'string';
  } catch {
    return false;
  }
}

for (const name of names) {
  promises[name] = async (target, ...args) => {
    let steps;
    try {
      steps = table[name]('promise', fdOf(target), ...args);
    } catch (error) {
      if (opening.has(name) && !atLeast(26) && !isPath(target)) await Promise.resolve();
      throw error;
    }
    return await startPromise('fs', name, steps);
  };
}

promises.open = async (path, flags, mode) => new FileHandle(await startPromise('fs', 'open', table.open('promise', path, flags, mode)));

const { appendFile, writeFile } = promises;
promises.writeFile = async (target, data, options) => {
  if (!isIterable(data)) return await writeFile(target, data, options);
  if (target instanceof FileHandle) return await writeTo(target, data, options, 'writeFile');
  const { flag = 'w', mode, signal } = optionsOf(options);
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  const handle = await promises.open(target, flag, mode);
  try {
    await writeTo(handle, data, options, 'writeFile');
  } finally {
    await handle.close();
  }
  return undefined;
};
promises.appendFile = async (target, data, options) => await appendFile(target, data, options);

promises.opendir = async (path, options) => {
  const where = toPath(path);
  const entries = await startPromise('fs', 'opendir', tables.opendir(where));
  return new (require('internal/fs/dir').Dir)(where, entries, optionsOf(options));
};

promises.watch = () => require('fs').watch();

for (const name of Object.keys(promises)) {
  Object.defineProperty(promises[name], 'name', { __proto__: null, value: name, configurable: true });
}
promises.constants = constants;
