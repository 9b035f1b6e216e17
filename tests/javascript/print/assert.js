const assert=require('assert');
try { assert.ok(typeof 1 === 'string') } catch(e) {console.log(JSON.stringify(e.message), e.generatedMessage, e.code, e.actual,
  e.expected, e.operator)}
try { assert(0) } catch(e) {console.log(JSON.stringify(e.message))}
try { assert(
  0 ===
    1) } catch(e) {console.log(JSON.stringify(e.message))}
try { assert.ok() } catch(e) {console.log(JSON.stringify(e.message))}
try { assert.equal(1, 2) } catch(e) {console.log(JSON.stringify(e.message))}
try { assert.strictEqual(1, 2) } catch(e) {console.log(JSON.stringify(e.message))}
try { assert.strictEqual('a'.repeat(20), 'b'.repeat(30)) } catch(e) {console.log(JSON.stringify(e.message))}
try { assert.strictEqual('a\nb\nc', 'a\nx\nc') } catch(e) {console.log(e.message)}
try { assert.deepEqual({a:1,b:[1,2]}, {a:1,b:[1,3]}) } catch(e) {console.log(e.message)}
try { assert.deepStrictEqual({a:1,b:[1,2,{c:1}], m: new Map([[1,2]])}, {a:1,b:[1,3,{c:2}],
  m: new Map([[1,3]])}) } catch(e) {console.log(e.message)}
try { assert.notStrictEqual(1, 1) } catch(e) {console.log(e.message)}
try { assert.notDeepStrictEqual({a:1}, {a:1}) } catch(e) {console.log(e.message)}
try { assert.notEqual(1, 1) } catch(e) {console.log(e.message)}
try { assert.throws(() => {}) } catch(e) {console.log(e.message)}
try { assert.throws(() => {}, /x/, 'msg') } catch(e) {console.log(e.message)}
try { assert.throws(() => { throw new Error('abc') }, /x/) } catch(e) {console.log(e.message)}
try { assert.throws(() => { throw new Error('abc') }, { message: 'abd' }) } catch(e) {console.log(e.message)}
try { assert.throws(() => { throw new Error('abc') }, TypeError) } catch(e) {console.log(e.message)}
try { assert.doesNotThrow(() => { throw new Error('abc') }) } catch(e) {console.log(e.message)}
try { assert.fail() } catch(e) {console.log(e.message)}
try { assert.fail('boom') } catch(e) {console.log(e.message, e.name, e instanceof Error, e instanceof assert.AssertionError)}
try { assert.match('abc', /x/) } catch(e) {console.log(e.message)}
try { assert.doesNotMatch('abc', /b/) } catch(e) {console.log(e.message)}
try { assert.ifError(new Error('e')) } catch(e) {console.log(e.message)}
try { assert.strictEqual(1, 2, 'mine') } catch(e) {console.log(e.message)}
try { assert.strictEqual(1, 2, new TypeError('mine')) } catch(e) {console.log(e.name)}
try { assert.strictEqual([1,2], [1,2]) } catch(e) {console.log(e.message)}
try { assert.strictEqual({}, {a:1}) } catch(e) {console.log(e.message)}
try { assert.strictEqual(undefined, null) } catch(e) {console.log(e.message)}
try { require('assert').strict.equal(1, '1') } catch(e) {console.log(e.message)}
try { require('assert/strict').deepEqual([1], ['1']) } catch(e) {console.log(e.message)}
try { assert.deepEqual([1], ['1']); console.log('loose') } catch(e) {console.log(e.message)}
try { assert.deepStrictEqual(new Set([1,{a:1}]), new Set([1,{a:1}])); console.log('sets') } catch(e) {console.log(e.message)}
try { assert.deepStrictEqual([NaN, -0], [NaN, 0]); } catch(e) {console.log(e.message)}
assert.rejects(Promise.resolve(1)).catch(e => console.log(e.message));
assert.rejects(Promise.reject(new Error('x')), /x/).then(() => console.log('rejected'));
assert.rejects(async () => { throw new TypeError('bad') }, TypeError).then(() => console.log('rejected'));
assert.doesNotReject(Promise.reject(new Error('x'))).catch(e => console.log(e.message));
try { assert.strictEqual(1, 2) } catch(e) {console.log(e)}
