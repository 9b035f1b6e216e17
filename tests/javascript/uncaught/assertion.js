// An assertion fails.
'use strict';
const assert = require('assert');
assert.strictEqual(1 + 1, 3);
