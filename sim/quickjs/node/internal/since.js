// Names that not every version of Node has: [name, the first version with it, the first without it again]. Written by
// tools/quickjs/since.py, from the versions themselves: 4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26.
//
// GLOBAL, GLOBAL.MEMBER, GLOBAL.prototype.MEMBER; MODULE: for all of a module, MODULE:MEMBER. These stay, as the library calls them:
//   Object.values (8)
//   Object.entries (8)
//   Object.getOwnPropertyDescriptors (8)
//   Object.hasOwn (16)
//   Error.isError (24)
//   Error.prototype.stack (never)
//   EvalError.prototype.message (6)
//   RangeError.prototype.message (6)
//   ReferenceError.prototype.message (6)
//   SyntaxError.prototype.message (6)
//   TypeError.prototype.message (6)
//   URIError.prototype.message (6)
//   Iterator.prototype.includes (never)
//   Iterator.prototype.join (never)
//   Array.prototype.includes (6)
//   Array.prototype.values (10)
//   String.prototype.toWellFormed (20)
//   String.prototype.matchAll (12)
//   String.prototype.replaceAll (16)
//   String.prototype.padStart (8)
//   Reflect (6)
//   Reflect.apply (6)
//   Reflect.construct (6)
//   Reflect.defineProperty (6)
//   Reflect.deleteProperty (6)
//   Reflect.get (6)
//   Reflect.getOwnPropertyDescriptor (6)
//   Reflect.getPrototypeOf (6)
//   Reflect.has (6)
//   Reflect.ownKeys (6)
//   Reflect.set (6)
//   Reflect.setPrototypeOf (6)
//   Symbol.toPrimitive (6)
//   Symbol.toStringTag (6)
//   Symbol.dispose (18)
//   Symbol.prototype.description (11)
//   globalThis (12)
//   BigInt (10)
//   BigInt.prototype.toString (10)
//   BigInt.prototype.valueOf (10)
//   RegExp.prototype.flags (6)
//   Proxy (6)
//   SharedArrayBuffer (8)
//   SharedArrayBuffer.prototype.byteLength (8)
//   SharedArrayBuffer.prototype.slice (8)
//   WeakRef (14)
//   Buffer.prototype._isBuffer (never)
//   Buffer.prototype.swap16 (6)
//   Buffer.prototype.swap32 (6)
//   Buffer.prototype.swap64 (6)
//   Buffer.prototype.toLocaleString (8)
//   Buffer.prototype.includes (6)
//   Buffer.prototype.lastIndexOf (6)
//   Buffer.prototype.readUintLE (12)
//   Buffer.prototype.readUintBE (12)
//   Buffer.prototype.readUint8 (12)
//   Buffer.prototype.readUint16LE (12)
//   Buffer.prototype.readUint16BE (12)
//   Buffer.prototype.readUint32LE (12)
//   Buffer.prototype.readUint32BE (12)
//   Buffer.prototype.readBigUInt64LE (10)
//   Buffer.prototype.readBigUInt64BE (10)
//   Buffer.prototype.readBigInt64LE (10)
//   Buffer.prototype.readBigInt64BE (10)
//   Buffer.prototype.writeUintLE (12)
//   Buffer.prototype.writeUintBE (12)
//   Buffer.prototype.writeUint8 (12)
//   Buffer.prototype.writeUint16LE (12)
//   Buffer.prototype.writeUint16BE (12)
//   Buffer.prototype.writeUint32LE (12)
//   Buffer.prototype.writeUint32BE (12)
//   Buffer.prototype.writeBigUInt64LE (10)
//   Buffer.prototype.writeBigUInt64BE (10)
//   Buffer.prototype.writeBigInt64LE (10)
//   Buffer.prototype.writeBigInt64BE (10)
//   URLSearchParams.prototype.size (18)
'use strict';

const never = 1000;

const since = [
  ['Object.groupBy', 22],
  ['Object.fromEntries', 12],
  ['InternalError', never],
  ['AggregateError', 16],
  ['SuppressedError', 24],
  ['Crypto', 20],
  ['CryptoKey', 20],
  ['SubtleCrypto', 20],
  ['crypto', 20],
  ['Atomics', 8],
  ['Atomics.notify', 10],
  ['Atomics.wake', 8, 12],
  ['Atomics.pause', 24],
  ['Iterator', 22],
  ['Iterator.concat', 26],
  ['Iterator.zip', never],
  ['Iterator.zipKeyed', never],
  ['Iterator.prototype.chunks', never],
  ['Iterator.prototype.windows', never],
  ['Array.fromAsync', 22],
  ['Array.prototype.at', 16],
  ['Array.prototype.with', 20],
  ['Array.prototype.findLast', 18],
  ['Array.prototype.findLastIndex', 18],
  ['Array.prototype.toReversed', 20],
  ['Array.prototype.toSorted', 20],
  ['Array.prototype.toSpliced', 20],
  ['Array.prototype.flatMap', 11],
  ['Array.prototype.flat', 11],
  ['queueMicrotask', 11],
  ['String.prototype.at', 16],
  ['String.prototype.isWellFormed', 20],
  ['String.prototype.padEnd', 8],
  ['String.prototype.trimEnd', 10],
  ['String.prototype.trimStart', 10],
  ['Math.f16round', 24],
  ['Math.sumPrecise', never],
  ['Reflect.isExtensible', 6],
  ['Reflect.preventExtensions', 6],
  ['Symbol.match', 6],
  ['Symbol.matchAll', 12],
  ['Symbol.replace', 6],
  ['Symbol.search', 6],
  ['Symbol.split', 6],
  ['Symbol.isConcatSpreadable', 6],
  ['Symbol.hasInstance', 6],
  ['Symbol.species', 6],
  ['Symbol.asyncIterator', 10],
  ['Symbol.asyncDispose', 18],
  ['DisposableStack', 24],
  ['BigInt.asUintN', 10],
  ['BigInt.asIntN', 10],
  ['RegExp.escape', 24],
  ['RegExp.prototype.dotAll', 8],
  ['RegExp.prototype.unicode', 6],
  ['RegExp.prototype.unicodeSets', 20],
  ['RegExp.prototype.sticky', 6],
  ['RegExp.prototype.hasIndices', 16],
  ['JSON.isRawJSON', 22],
  ['JSON.rawJSON', 22],
  ['Proxy.revocable', 6],
  ['Map.groupBy', 22],
  ['Map.prototype.getOrInsert', 26],
  ['Map.prototype.getOrInsertComputed', 26],
  ['Set.prototype.isDisjointFrom', 22],
  ['Set.prototype.isSubsetOf', 22],
  ['Set.prototype.isSupersetOf', 22],
  ['Set.prototype.intersection', 22],
  ['Set.prototype.difference', 22],
  ['Set.prototype.symmetricDifference', 22],
  ['Set.prototype.union', 22],
  ['WeakMap.prototype.getOrInsert', 26],
  ['WeakMap.prototype.getOrInsertComputed', 26],
  ['ArrayBuffer.prototype.maxByteLength', 20],
  ['ArrayBuffer.prototype.resizable', 20],
  ['ArrayBuffer.prototype.detached', 22],
  ['ArrayBuffer.prototype.immutable', never],
  ['ArrayBuffer.prototype.resize', 20],
  ['ArrayBuffer.prototype.sliceToImmutable', never],
  ['ArrayBuffer.prototype.transfer', 22],
  ['ArrayBuffer.prototype.transferToImmutable', never],
  ['ArrayBuffer.prototype.transferToFixedLength', 22],
  ['SharedArrayBuffer.prototype.maxByteLength', 20],
  ['SharedArrayBuffer.prototype.growable', 20],
  ['SharedArrayBuffer.prototype.grow', 20],
  ['Uint8Array.fromBase64', 26],
  ['Uint8Array.fromHex', 26],
  ['Uint8Array.prototype.toBase64', 26],
  ['Uint8Array.prototype.toHex', 26],
  ['Uint8Array.prototype.setFromBase64', 26],
  ['Uint8Array.prototype.setFromHex', 26],
  ['BigInt64Array', 10],
  ['BigUint64Array', 10],
  ['Float16Array', 24],
  ['DataView.prototype.getBigInt64', 10],
  ['DataView.prototype.getBigUint64', 10],
  ['DataView.prototype.getFloat16', 24],
  ['DataView.prototype.setBigInt64', 10],
  ['DataView.prototype.setBigUint64', 10],
  ['DataView.prototype.setFloat16', 24],
  ['Promise.allSettled', 12],
  ['Promise.any', 16],
  ['Promise.try', 24],
  ['Promise.withResolvers', 22],
  ['Promise.prototype.finally', 10],
  ['AsyncDisposableStack', 24],
  ['WeakRef.prototype.deref', 14],
  ['FinalizationRegistry', 14],
  ['DOMException', 18],
  ['btoa', 16],
  ['atob', 16],
  ['performance', 16],
  ['Buffer.TYPED_ARRAY_SUPPORT', never],
  ['URL', 10],
  ['URL.canParse', 18],
  ['URL.parse', 20],
  ['URLSearchParams', 10],
  ['TextEncoder', 11],
  ['TextEncoder.prototype.encodeInto', 12],
  ['TextDecoder', 11],
  ['assert:rejects', 8],
  ['assert:doesNotReject', 8],
  ['assert:match', 12],
  ['assert:doesNotMatch', 12],
  ['assert:strict', 8],
  ['assert/strict:', 16],
  ['buffer:SlowBuffer', 4, 26],
  ['buffer:kStringMaxLength', 8],
  ['buffer:constants', 8],
  ['buffer:atob', 14],
  ['buffer:btoa', 14],
  ['buffer:isUtf8', 18],
  ['buffer:isAscii', 18],
  ['console:debug', 8],
  ['console:dirxml', 8],
  ['console:timeLog', 10],
  ['console:clear', 6],
  ['console:count', 6],
  ['console:countReset', 6],
  ['console:group', 8],
  ['console:groupCollapsed', 8],
  ['console:groupEnd', 8],
  ['console:table', 8],
  ['events:once', 10],
  ['os:availableParallelism', 18],
  ['os:getPriority', 10],
  ['os:machine', 16],
  ['os:setPriority', 10],
  ['os:userInfo', 6],
  ['os:version', 12],
  ['os:constants', 6],
  ['os:devNull', 14],
  ['path:toNamespacedPath', 10],
  ['path/posix:', 16],
  ['perf_hooks:', 8],
  ['timers:promises', 20],
  ['timers/promises:', 16],
  ['url:URL', 6],
  ['url:URLSearchParams', 6],
  ['url:pathToFileURL', 10],
  ['url:fileURLToPath', 10],
  ['url:urlToHttpOptions', 14],
  ['util:aborted', 18],
  ['util:callbackify', 8],
  ['util:debug', 4, 12],
  ['util:formatWithOptions', 10],
  ['util:isBoolean', 4, 24],
  ['util:isBuffer', 4, 24],
  ['util:isDate', 4, 24],
  ['util:isDeepStrictEqual', 10],
  ['util:isError', 4, 24],
  ['util:isFunction', 4, 24],
  ['util:isNull', 4, 24],
  ['util:isNullOrUndefined', 4, 24],
  ['util:isNumber', 4, 24],
  ['util:isObject', 4, 24],
  ['util:isPrimitive', 4, 24],
  ['util:isRegExp', 4, 24],
  ['util:isString', 4, 24],
  ['util:isSymbol', 4, 24],
  ['util:isUndefined', 4, 24],
  ['util:log', 4, 24],
  ['util:promisify', 8],
  ['util:stripVTControlCharacters', 16],
  ['util:styleText', 20],
  ['util:TextDecoder', 8],
  ['util:TextEncoder', 8],
  ['util:toUSVString', 14],
  ['util:types', 10],
  ['util/types:', 16],
  ['crypto:getFips', 10],
  ['crypto:hkdf', 16],
  ['crypto:hkdfSync', 16],
  ['crypto:hash', 20],
  ['crypto:randomFill', 6],
  ['crypto:randomFillSync', 6],
  ['crypto:randomInt', 12],
  ['crypto:randomUUID', 14],
  ['crypto:randomUUIDv7', 24],
  ['crypto:scrypt', 10],
  ['crypto:scryptSync', 10],
  ['crypto:timingSafeEqual', 6],
  ['crypto:getRandomValues', 18],
  ['crypto:constants', 6],
  ['crypto:argon2', 24],
  ['crypto:argon2Sync', 24],
  ['crypto:checkPrime', 16],
  ['crypto:checkPrimeSync', 16],
  ['crypto:createPrivateKey', 11],
  ['crypto:createPublicKey', 11],
  ['crypto:createSecretKey', 11],
  ['crypto:diffieHellman', 12],
  ['crypto:generatePrime', 16],
  ['crypto:generatePrimeSync', 16],
  ['crypto:getCipherInfo', 16],
  ['crypto:generateKeyPair', 10],
  ['crypto:generateKeyPairSync', 10],
  ['crypto:generateKey', 16],
  ['crypto:generateKeySync', 16],
  ['crypto:sign', 12],
  ['crypto:verify', 12],
  ['crypto:webcrypto', 16],
  ['crypto:subtle', 18],
  ['dns:resolveAny', 8],
  ['dns:resolveCaa', 14],
  ['dns:resolvePtr', 6],
  ['dns:Resolver', 8],
  ['dns:ALL', 12],
  ['dns:getDefaultResultOrder', 18],
  ['dns:setDefaultResultOrder', 14],
  ['dns:promises', 10],
  ['dns/promises:', 16],
  ['dns/promises:getDefaultResultOrder', 18],
  ['fs:copyFile', 8],
  ['fs:copyFileSync', 8],
  ['fs:cp', 16],
  ['fs:cpSync', 16],
  ['fs:lchmod', 10],
  ['fs:lchmodSync', 10],
  ['fs:lchown', 10],
  ['fs:lchownSync', 10],
  ['fs:lutimes', 12],
  ['fs:lutimesSync', 12],
  ['fs:rm', 14],
  ['fs:rmSync', 14],
  ['fs:statfs', 18],
  ['fs:statfsSync', 18],
  ['fs:readv', 12],
  ['fs:readvSync', 12],
  ['fs:writev', 12],
  ['fs:writevSync', 12],
  ['fs:opendir', 12],
  ['fs:opendirSync', 12],
  ['fs:openAsBlob', 20],
  ['fs:Dirent', 10],
  ['fs:constants', 6],
  ['fs:F_OK', 4, 26],
  ['fs:R_OK', 4, 26],
  ['fs:W_OK', 4, 26],
  ['fs:X_OK', 4, 26],
  ['fs:Dir', 12],
  ['fs:promises', 10],
  ['fs/promises:', 14],
  ['fs/promises:cp', 16],
  ['fs/promises:statfs', 18],
  ['fs/promises:constants', 16],
  ['readline:promises', 18],
  ['readline/promises:', 18],
  ['zlib:crc32', 20],
  ['zlib:brotliCompress', 10],
  ['zlib:brotliCompressSync', 10],
  ['zlib:createBrotliCompress', 10],
  ['zlib:brotliDecompress', 10],
  ['zlib:brotliDecompressSync', 10],
  ['zlib:createBrotliDecompress', 10],
  ['zlib:zstdCompress', 22],
  ['zlib:zstdCompressSync', 22],
  ['zlib:createZstdCompress', 22],
  ['zlib:zstdDecompress', 22],
  ['zlib:zstdDecompressSync', 22],
  ['zlib:createZstdDecompress', 22],
  ['zlib:constants', 8],
];

module.exports = { since };
