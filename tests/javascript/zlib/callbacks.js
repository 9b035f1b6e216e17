'use strict';
const zlib = require('zlib');
const { promisify } = require('util');
zlib.gzip('hello', (error, packed) => {
  console.log(error, packed.toString('hex'));
  zlib.gunzip(packed, (failure, text) => {
    console.log(failure, text.toString());
    zlib.deflate(Buffer.alloc(50000, 'ab'), { level: 9 }, (problem, small) => {
      zlib.inflate(small, (last, large) => {
        console.log(problem, last, large.length);
        zlib.unzip(Buffer.from('not packed at all'), (wrong, nothing) => {
          console.log(wrong.code, wrong.errno, wrong.message, nothing);
          done();
        });
      });
    });
  });
});
async function done() {
  const raw = await promisify(zlib.deflateRaw)('raw');
  console.log(raw.toString('hex'), String(await promisify(zlib.inflateRaw)(raw)));
  await promisify(zlib.gunzip)(raw).catch((error) => console.log(error.code, error.message));
}
