// src/node_blob.cc: bytes that nothing changes, of which parts are other blobs.
'use strict';

const kLargestPart = 65_536;  // of what a reader gives at once

// Status of a reader's pull() (bob::Status, src/node_bob.h).
const kEnd = 0;
const kMore = 1;

// A copy of what a view or a buffer has.
function bytesOf(source) {
  if (source instanceof BlobHandle) return source.bytes();
  if (!ArrayBuffer.isView(source)) return new Uint8Array(source.slice(0));
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

class BlobHandle {
  #parts;
  constructor(parts) { this.#parts = parts; }
  bytes() { return this.#parts.length === 1 ? this.#parts[0] : joined(this.#parts); }
  parts() { return this.#parts; }
  slice(start, end) { return new BlobHandle([this.bytes().subarray(start, end)]); }
  getReader() { return new Reader(this.#parts); }
}

function partsOf(source) { return source instanceof BlobHandle ? source.parts() : [bytesOf(source)]; }

class Reader {
  #parts;
  #part = 0;
  #at = 0;
  constructor(parts) { this.#parts = parts; }
  setWakeup() {}  // nothing is waited for
  // Calls back at once, with a part of what is left, or its end.
  pull(callback) {
    while (this.#part < this.#parts.length && this.#at >= this.#parts[this.#part].byteLength) {
      this.#part++;
      this.#at = 0;
    }
    if (this.#part >= this.#parts.length) {
      callback(kEnd, undefined, undefined);
      return;
    }
    const { buffer, byteOffset, byteLength } = this.#parts[this.#part];
    const size = Math.min(kLargestPart, byteLength - this.#at);
    const from = byteOffset + this.#at;
    this.#at += size;
    callback(kMore, buffer.slice(from, from + size), undefined);
  }
}

// Up to Node 18: a small blob is copied at once, and all are here.
class FixedSizeBlobCopyJob {
  #handle;
  constructor(handle) { this.#handle = handle; }
  run() {
    const bytes = this.#handle.bytes();
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }
}

module.exports = function makeBlob() {
  const objects = new Map();  // by id, what URL.createObjectURL() was given
  return {
    createBlob: (sources) => new BlobHandle(sources.flatMap(partsOf)),
    concat: (list) => joined(list.map(bytesOf)).buffer,
    storeDataObject(id, handle, size, type) { objects.set(id, [handle, size, type]); },
    getDataObject: (id) => objects.get(id),
    revokeObjectURL(url) { objects.delete(String(url).split(':')[2]); },
    FixedSizeBlobCopyJob,
  };
};
