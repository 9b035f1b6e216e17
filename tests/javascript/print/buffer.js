const { StringDecoder } = require('string_decoder'); const sd = new StringDecoder('utf8'); console.log(sd.write(Buffer.from([0xe2,
  0x82])) + '|' + sd.write(Buffer.from([0xac])) + '|' + sd.end());
console.log(Buffer.from('héllo').toString('base64'), Buffer.from('aGk', 'base64').toString(), Buffer.from('ff00', 'hex'),
  Buffer.concat([Buffer.from('a'), Buffer.from('b')]), Buffer.alloc(3, 1), Buffer.from([1, 2, 3]).slice(1), Buffer.byteLength('é'),
  Buffer.isBuffer(Buffer.alloc(0)), Buffer.from('a').equals(Buffer.from('a')), Buffer.compare(Buffer.from('a'), Buffer.from('b')));
const b = Buffer.alloc(8); b.writeUInt32BE(0xdeadbeef, 0); b.writeInt16LE(-2, 4); console.log(b, b.readUInt32BE(0), b.toJSON(),
  b.subarray(0, 2), Buffer.from('??>').toString('base64url'), JSON.stringify(Buffer.from('x')), b.length, b.indexOf(0xbe),
  Buffer.from('abc').includes('b'));
console.log(atob('aGk='), btoa('hi')); try { atob('*') } catch (e) { console.log(e.name, e.message) }
