// The module stream, for those that make streams of files and of compression when they are asked for one.
'use strict';

const { makeNodeError } = require('internal/errors');

let found;  // null: the library has none

function hasStreams() {
  if (found === undefined) {
    try {
      found = require('stream');
    } catch {
      found = null;
    }
  }
  return found !== null;
}

function streams() {
  if (hasStreams()) return found;
  throw makeNodeError(Error, 'ERR_LOOPSIM_NO_MODULE', "loopsim has no module 'stream' (docs/javascript.md says what it has)");
}

// classes() of a file of the library that makes some; undefined: there are no streams.
function classesOf(file) { return hasStreams() ? require(file).classes() : undefined; }

module.exports = { hasStreams, streams, classesOf };
