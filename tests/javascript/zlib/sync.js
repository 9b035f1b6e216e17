'use strict';
const zlib = require('zlib');
const text = 'hello hello hello, this is a text. '.repeat(50);
for (const [pack, unpack] of [['gzipSync', 'gunzipSync'], ['deflateSync', 'inflateSync'], ['deflateRawSync', 'inflateRawSync'], ['gzipSync', 'unzipSync'],
                              ['deflateSync', 'unzipSync']]) {
  const packed = zlib[pack](text);
  console.log(pack, packed.length < text.length, unpack, zlib[unpack](packed).toString() === text);
}
console.log(zlib.gzipSync('hello').toString('hex'), zlib.deflateSync('hello').toString('base64'), zlib.deflateRawSync('').toString('hex'));
console.log(zlib.gunzipSync(Buffer.from('H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==', 'base64')).toString());
console.log(zlib.inflateSync(zlib.deflateSync(Buffer.alloc(100000))).length, zlib.gunzipSync(Buffer.concat([zlib.gzipSync('a'), zlib.gzipSync('b')])).toString());
for (const level of [0, 1, 9]) console.log(level, zlib.inflateSync(zlib.deflateSync(text, { level })).toString() === text);
const dictionary = Buffer.from('hello text');
console.log(zlib.inflateSync(zlib.deflateSync('hello text hello', { dictionary }), { dictionary }).toString());
console.log(zlib.gunzipSync(zlib.gzipSync(new Uint8Array([1, 2, 3]))), zlib.constants.Z_BEST_SPEED, zlib.codes.Z_DATA_ERROR);
