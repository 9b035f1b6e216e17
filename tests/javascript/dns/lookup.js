'use strict';
const dns = require('dns');
const { promisify } = require('util');
dns.lookup('localhost', 4, (error, address, family) => {
  console.log(error, address, family);
  dns.lookup('localhost', { family: 4, all: true }, (failure, list) => {
    console.log(failure, list);
    dns.lookupService('127.0.0.1', 80, (problem, host, service) => {
      console.log(problem, host, service);
      later();
    });
  });
});
let isSync = true;
dns.lookup('127.0.0.1', (error, address, family) => console.log(error, address, family, isSync));
dns.lookup('::1', { all: true }, (error, list) => console.log(error, list));
isSync = false;
async function later() {
  console.log(await dns.promises.lookup('127.0.0.1'), await dns.promises.lookup('localhost', { family: 4 }));
  console.log(await promisify(dns.lookup)('localhost', 4));
  console.log(dns.promises === require('dns/promises'), dns.NOTFOUND, dns.ADDRCONFIG, dns.promises.NOTFOUND ?? 'ENOTFOUND');
}
