// Stands for test/common/arraystream.js: a stream that gives the lines of an array.
'use strict';

const { Stream } = require('stream');

class ArrayStream extends Stream {
  readable = true;
  writable = true;
  run(lines) { for (const line of lines) this.emit('data', `${line}\n`); }
  pause() {}
  resume() {}
  write() {}
}
module.exports = ArrayStream;
