const net = require('net');
for (const text of ['127.0.0.1', '256.1.1.1', '1.2.3', '01.2.3.4', '::1', '::', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7::', '::ffff:1.2.3.4', 'fe80::1%eth0',
  'fe80::1%', '1::2::3', ':1', 'g::1', '', 'localhost', undefined, null, 1, {}, '0.0.0.0', '1:2:3:4:5:6:1.2.3.4', '12345::']) {
  console.log(String(text), net.isIP(text), net.isIPv4(text), net.isIPv6(text));
}
