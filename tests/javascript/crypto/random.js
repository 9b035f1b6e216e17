'use strict';
const crypto = require('crypto');
console.log(crypto.randomBytes(16).length, crypto.randomBytes(0), crypto.randomBytes(300).some((byte) => byte > 200));
console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()));
const numbers = Array.from({ length: 200 }, () => crypto.randomInt(3, 7));
console.log([...new Set(numbers)].sort(), crypto.randomInt(1));
const filled = crypto.randomFillSync(Buffer.alloc(10), 5);
console.log(filled.length, filled.subarray(0, 5), crypto.randomFillSync(new Uint32Array(4)).length);
console.log(crypto.webcrypto.getRandomValues(new Uint8Array(4)).length, crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('a')));
const order = [];
crypto.randomBytes(8, (error, buffer) => {
  console.log(error, buffer.length);
  crypto.randomFill(Buffer.alloc(4), 1, 2, (failure, bytes) => {
    console.log(failure, bytes.length, bytes[0], bytes[3]);
    crypto.randomInt(10, (problem, value) => {
      console.log(problem, value >= 0 && value < 10);
      crypto.randomInt(10, () => order.push('randomInt at hand'));
      process.nextTick(() => order.push('tick'));
      setImmediate(() => console.log(order));
    });
  });
});
crypto.randomBytes(0, () => order.push('none'));
order.push('after');
