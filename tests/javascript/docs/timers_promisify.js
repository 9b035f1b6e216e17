// util.promisify of setTimeout and setImmediate.
const util = require('node:util');
util.promisify(setTimeout)(20, 'foobar').then((value) => console.log('timeout', value));
util.promisify(setImmediate)('foo').then((value) => console.log('immediate', value));
