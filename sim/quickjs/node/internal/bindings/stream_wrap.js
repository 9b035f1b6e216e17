// src/stream_wrap.cc
'use strict';

module.exports = function makeStreamWrap() {
  return { kReadBytesOrError: 0, kArrayBufferOffset: 1, kBytesWritten: 2, kLastWriteWasAsync: 3, streamBaseState: new Int32Array(5) };
};
