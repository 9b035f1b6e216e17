// assert (lib/assert.js): the package of that name. What it cannot know, the text of a failed expression, is from here.
'use strict';

const { assert, AssertionError } = require('vendor/assert');

assert.AssertionError = AssertionError;

module.exports = assert;
