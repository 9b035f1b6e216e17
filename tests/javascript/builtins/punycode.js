// stdout only
const punycode = require('punycode');
console.log(Object.keys(punycode), punycode.toASCII('mañana.com'), punycode.toUnicode('xn--maana-pta.com'), punycode.decode('maana-pta'));
console.log(punycode.encode('☃-⌘'), punycode.ucs2.decode('a😀'), punycode.ucs2.encode([0x61, 0x1f600]));
try { punycode.decode('ÿ'); } catch (error) { console.log(error.name, error.message); }
