// The module stream, for those that make streams of files and of compression when they are asked for one.
'use strict';

const { current } = require('internal/streams');

// classes() of a file of the library that makes some.
function classesOf(file) { return require(file).classes(); }

module.exports = { streams: current, classesOf };
