// Streams of files (lib/internal/fs/streams.js). Made when the program asks for the first one.
'use strict';

const { Buffer } = require('buffer');
const { invalidArgType, outOfRange, validateInteger } = require('internal/validate');
const { streams } = require('internal/stream_classes');
const { atLeast } = require('internal/version');
const { writev } = require('internal/fs/table');
const { optionsOf, toPath } = require('internal/fs/utils');
const { start } = require('internal/work');

let made;

// Before the program has fs.writev().
function ownWritev(fd, buffers, position, callback) { start('fs', 'writev', writev(fd, buffers, position), callback, callback); }

function fdOf(stream, options) {
  if (typeof options.fd === 'number') return options.fd;
  const { fd: handle } = options;
  if (handle === null || typeof handle !== 'object') throw invalidArgType('options.fd', ['number', 'FileHandle'], handle);
  stream.handle = handle;
  return handle.fd;
}

function closeFile(stream, error, callback) {
  const { fd } = stream;
  stream.fd = null;
  const done = (failure) => {
    stream.closed_ = true;
    callback(failure || error);
  };
  if (stream.handle) stream.handle.close().then(() => done(), done);
  else if (typeof fd === 'number') require('fs').close(fd, done);
  else done();
}

// Since Node 15 a stream opens its file as its construction; before, when it is made.
function openFile(stream, callback) {
  if (typeof stream.fd === 'number') {
    callback();
    return;
  }
  const fs = stream.fs_ ?? require('fs');
  fs.open(stream.path, stream.flags, stream.mode, (error, fd) => {
    if (error) {
      callback(error);
      return;
    }
    stream.fd = fd;
    callback();
    stream.emit('open', fd);
    stream.emit('ready');
  });
}

function openEarly(stream) {
  if (typeof stream.fd === 'number') return;
  require('fs').open(stream.path, stream.flags, stream.mode, (error, fd) => {
    if (error) {
      if (stream.autoClose) stream.destroy();
      stream.emit('error', error);
      return;
    }
    stream.fd = fd;
    stream.emit('open', fd);
    if (atLeast(10)) stream.emit('ready');
    stream.read?.();
  });
}

function hide(object, names) {
  for (const name of names) Object.defineProperty(object, name, { __proto__: null, writable: true, configurable: true, enumerable: false });
}

// What both kinds of streams take of their options: a file by its path, or one that is open.
function takeFile(stream, path, options, flags) {
  hide(stream, ['fs_', 'closed_', 'handle']);
  if (options.fd == null) {
    stream.fd = null;
    stream.flags = options.flags === undefined ? flags : options.flags;
    stream.mode = options.mode === undefined ? 0o666 : options.mode;
    stream.path = toPath(path);
    if (options.fs) stream.fs_ = options.fs;
  } else {
    stream.fd = fdOf(stream, options);
    stream.path = path === undefined ? undefined : toPath(path);
  }
}

function classes() {
  if (made) return made;
  const { Readable, Writable } = streams();
  const fs = () => require('fs');

  function ReadStream(path, options) {
    if (!(this instanceof ReadStream)) return new ReadStream(path, options);
    options = optionsOf(options);
    if (options.highWaterMark === undefined) options.highWaterMark = 64 * 1024;
    if (options.autoDestroy === undefined) options.autoDestroy = atLeast(14) ? options.autoClose !== false : false;
    takeFile(this, path, options, 'r');
    this.start = options.start;
    this.end = options.end ?? Infinity;
    this.pos = undefined;
    this.bytesRead = 0;
    this.autoClose = options.autoClose !== false;
    if (this.start !== undefined) {
      validateInteger(this.start, 'start', 0);
      this.pos = this.start;
    }
    if (this.end !== Infinity) {
      validateInteger(this.end, 'end', 0);
      if (this.start !== undefined && this.start > this.end) {
        throw outOfRange('start', `<= "end" (here: ${this.end})`, this.start);
      }
    }
    Readable.call(this, options);
    if (options.encoding) this.setEncoding(options.encoding);
    if (!atLeast(15)) openEarly(this);
    return undefined;
  }
  Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
  Object.setPrototypeOf(ReadStream, Readable);
  Object.assign(ReadStream.prototype, {
    _read(size) {
      if (typeof this.fd !== 'number') {
        this.once('open', () => this._read(size));
        return;
      }
      const wanted = this.pos !== undefined ? Math.min(this.end - this.pos + 1, size)
        : Math.min(this.end - this.bytesRead + 1, size);
      if (wanted <= 0) {
        this.push(null);
        return;
      }
      const buffer = Buffer.allocUnsafe(wanted);
      (this.fs_ ?? fs()).read(this.fd, buffer, 0, wanted, this.pos, (error, count) => {
        if (error) {
          if (this.destroyed) return;
          this.destroy(error);
          if (!atLeast(14)) this.emit('error', error);
          return;
        }
        if (count === 0) {
          this.push(null);
          if (!atLeast(14) && this.autoClose) this.once('end', () => this.destroy());
          return;
        }
        if (this.pos !== undefined) this.pos += count;
        this.bytesRead += count;
        this.push(count === buffer.length ? buffer : buffer.slice(0, count));
      });
    },
    _destroy(error, callback) {
      if (typeof this.fd !== 'number' && !atLeast(15) && this.fd === null && !error) {
        this.once('open', () => closeFile(this, error, callback));
        return;
      }
      closeFile(this, error, callback);
    },
    close(callback) { this.destroy(null, callback); },
  });
  Object.defineProperty(ReadStream.prototype, 'pending', {
    __proto__: null, configurable: true, get() { return this.fd === null; },
  });

  function WriteStream(path, options) {
    if (!(this instanceof WriteStream)) return new WriteStream(path, options);
    options = optionsOf(options);
    options.decodeStrings = true;
    if (options.autoDestroy === undefined) options.autoDestroy = atLeast(14) ? options.autoClose !== false : false;
    takeFile(this, path, options, 'w');
    this.start = options.start;
    this.pos = undefined;
    this.bytesWritten = 0;
    this.autoClose = options.autoClose !== false;
    if (this.start !== undefined) {
      validateInteger(this.start, 'start', 0);
      this.pos = this.start;
    }
    Writable.call(this, options);
    if (options.encoding) this.setDefaultEncoding(options.encoding);
    if (!atLeast(15)) openEarly(this);
    return undefined;
  }
  Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
  Object.setPrototypeOf(WriteStream, Writable);
  Object.assign(WriteStream.prototype, {
    _write(data, encoding, callback) {
      if (typeof this.fd !== 'number') {
        this.once('open', () => this._write(data, encoding, callback));
        return;
      }
      (this.fs_ ?? fs()).write(this.fd, data, 0, data.length, this.pos, (error, count) => {
        if (error) {
          if (this.autoClose) this.destroy();
          callback(error);
          return;
        }
        this.bytesWritten += count;
        callback();
      });
      if (this.pos !== undefined) this.pos += data.length;
    },
    _writev(chunks, callback) {
      if (typeof this.fd !== 'number') {
        this.once('open', () => this._writev(chunks, callback));
        return;
      }
      const parts = chunks.map(({ chunk }) => chunk);
      const size = parts.reduce((sum, part) => sum + part.length, 0);
      ((this.fs_ ?? fs()).writev ?? ownWritev)(this.fd, parts, this.pos ?? null, (error, count) => {
        if (error) {
          this.destroy?.();
          callback(error);
          return;
        }
        this.bytesWritten += count;
        callback();
      });
      if (this.pos !== undefined) this.pos += size;
    },
    _destroy(error, callback) { closeFile(this, error, callback); },
    destroySoon: Writable.prototype.end,
    close(callback) {
      if (callback) {
        if (this.closed_) {
          require('process').nextTick(callback);
          return;
        }
        this.on('close', callback);
      }
      if (!this.autoClose) this.on('finish', this.destroy);
      this.end();
    },
  });
  Object.defineProperty(WriteStream.prototype, 'pending', {
    __proto__: null, configurable: true, get() { return this.fd === null; },
  });

  if (atLeast(15)) {
    for (const Stream of [ReadStream, WriteStream]) {
      Stream.prototype._construct = function (callback) { openFile(this, callback); };
    }
  }
  if (!atLeast(8)) {
    // Before that no stream is destroyed but these.
    for (const Stream of [ReadStream, WriteStream]) {
      Stream.prototype.destroy = function () {
        if (this.destroyed) return;
        this.destroyed = true;
        this._destroy(null, () => this.emit('close'));
      };
    }
  }
  made = { ReadStream, WriteStream };
  return made;
}

module.exports = { classes };
