// stdout only
'use strict';
const dns = require('dns');
dns.lookup('no.such.host.invalid', (error, address) => console.log(error.name, error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN', error.syscall, error.hostname, address));
