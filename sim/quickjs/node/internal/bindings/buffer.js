// src/node_buffer.cc: what others than lib/buffer.js ask for.
'use strict';

module.exports = function makeBuffer() {
  const { Buffer, constants, isAscii, isUtf8, kMaxLength } = require('buffer');
  const { byteLength, compare } = Buffer;
  const { createBlob, FixedSizeBlobCopyJob } = require('internal/bindings/index').bindingOf('blob');  // up to Node 14
  return {
    byteLengthUtf8: (text) => byteLength(text), compare, createBlob, detachArrayBuffer: (buffer) => buffer.transfer(), FixedSizeBlobCopyJob,
    isAscii, isUtf8, kMaxLength, kStringMaxLength: constants?.MAX_STRING_LENGTH, setDetachKey() {},
  };
};
