// Failed assertions, since 12.
var assert = require('assert');
function t(f) { try { f(); console.log('none'); } catch (e) { console.log(e.name, '|', e.code, '|', e.message, '|', Object.keys(e).join(), '|', e.generatedMessage, e.actual, e.expected, e.operator, String(e.stack).split('\n')[0]); } }
t(function () { assert(false, 'm'); });
t(function () { assert.ok(0); });
t(function () { assert.equal(1, 2); });
t(function () { assert.strictEqual(1, 2); });
t(function () { assert.deepEqual({ a: 1 }, { a: 2 }); });
t(function () { assert.strictEqual(1, 2, 'own'); });
t(function () { assert.notEqual(1, 1); });
t(function () { assert.throws(function () {}); });
t(function () { assert.throws(function () {}, /x/, 'need'); });
t(function () { assert.fail('f'); });
t(function () { assert.fail(1, 2, undefined, '>'); });
t(function () { assert.fail(); });
t(function () { assert.ifError(null); });
t(function () { assert.notStrictEqual(1, 1); });
t(function () { assert.deepStrictEqual([1, 2], [1, 3]); });
t(function () { assert.notDeepEqual([1], [1]); });
