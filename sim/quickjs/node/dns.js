// Names of hosts (lib/dns.js).
'use strict';

const native = internalBinding;
const clock = require('internal/virtual_clock');

function lookup(host, options, callback) {
  if (typeof options === 'function') callback = options;
  const time = clock.lookup(String(host));
  native.startWork('dns', 'lookup', time === null ? 0 : time, time === null ? 'ENOTFOUND' : undefined, callback, false);
}

module.exports = { lookup };
