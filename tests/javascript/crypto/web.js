// The global crypto: randomness, and digests, which are requests to the pool.
const found = Object.getOwnPropertyDescriptor(global, 'crypto');
console.log(found && Object.keys(found).join(), typeof SubtleCrypto);
if (typeof crypto === 'object') {
console.log(crypto, Object.prototype.toString.call(crypto), crypto.constructor.name, crypto === require('crypto').webcrypto, crypto.subtle === require('crypto').subtle);
console.log(Object.getOwnPropertyNames(Crypto.prototype), Object.keys(Crypto.prototype));
console.log(crypto.subtle);
for (const f of [() => new Crypto(), () => new SubtleCrypto(), () => new CryptoKey(), () => crypto.getRandomValues(5), () => crypto.getRandomValues(new Float32Array(2)), () => Crypto.prototype.randomUUID.call({}), () => crypto.randomUUID.call(undefined), () => crypto.getRandomValues.call(1, new Uint8Array(1)), () => crypto.getRandomValues(), () => crypto.subtle = 1])
  try { console.log(f()); } catch (e) { console.log(e.constructor.name, e.name, e.message, e.code); }
console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()), crypto.getRandomValues(new Uint8Array(4)).length);
(async () => {
  for (const [a, v] of [['SHA-256', Buffer.from('abc')], ['sha-1', new Uint8Array([1])], [{ name: 'SHA-512' }, new ArrayBuffer(3)], ['SHA-384', new DataView(new ArrayBuffer(2))], ['MD5', Buffer.from('a')], ['SHA-256', 'abc'], ['SHA-256'], [{}, Buffer.from('')], [5, Buffer.from('')], []])
    try { const r = await crypto.subtle.digest(a, v); console.log(r.constructor.name, Buffer.from(r).toString('hex').slice(0, 20)); } catch (e) { console.log(e.constructor.name, e.name, e.message, e.code); }
})();
}
