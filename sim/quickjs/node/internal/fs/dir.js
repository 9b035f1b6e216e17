// A folder that is read entry by entry (lib/internal/fs/dir.js).
'use strict';

const { makeNodeError } = require('internal/errors');
const { request, runSync, start, startPromise } = require('internal/work');
const { checkCallback } = require('internal/fs/utils');
const { direntsOf } = require('internal/fs/table');

const kEntriesOfARead = 32;

function closed() { return makeNodeError(Error, 'ERR_DIR_CLOSED', 'Directory handle was closed'); }

class Dir {
  #path;
  #entries;
  #options;
  #read = [];
  #isClosed = false;
  constructor(path, entries, options) {
    this.#path = path;
    this.#entries = entries.map((entry) => ({ ...entry, parent: '' }));
    this.#options = options;
  }
  get path() { return this.#path; }

  // What is read ahead needs no request.
  *#steps() {
    if (this.#read.length === 0) {
      const size = this.#options?.bufferSize ?? kEntriesOfARead;
      this.#read = yield request('readdir', 0, () => direntsOf(this.#entries.splice(0, size), this.#path,
                                                               { ...this.#options, withFileTypes: true }));
    }
    return this.#read.shift() ?? null;
  }

  read(callback) {
    if (this.#isClosed) throw closed();
    if (callback === undefined) return startPromise('fs', 'readdir', this.#steps());
    checkCallback(callback);
    start('fs', 'readdir', this.#steps(), callback, callback);
    return undefined;
  }

  readSync() {
    if (this.#isClosed) throw closed();
    return runSync(this.#steps());
  }

  *#end() { yield request('close', 0, () => {}); }

  close(callback) {
    if (this.#isClosed) {
      if (callback === undefined) return Promise.reject(closed());
      throw closed();
    }
    this.#isClosed = true;
    if (callback === undefined) return startPromise('fs', 'close', this.#end());
    checkCallback(callback);
    start('fs', 'close', this.#end(), (error) => callback(error ?? null), callback);
    return undefined;
  }

  closeSync() {
    if (this.#isClosed) throw closed();
    this.#isClosed = true;
    runSync(this.#end());
  }

  async* entries() {
    try {
      for (;;) {
        const entry = await this.read();
        if (entry === null) break;
        yield entry;
      }
    } finally {
      await this.close();
    }
  }
  [Symbol.asyncIterator]() { return this.entries(); }
}

module.exports = { Dir };
