// os (lib/os.js): of the simulated machine, whose cores are what the loop's machine has.
'use strict';

const native = internalBinding;
const { outOfRange, validateInteger } = require('internal/validate');
const constants = require('internal/os_constants');

// A machine of `ideal` has a core for each thread: then as many as the smallest real one that does not wait.
function cores() { return native.machineFacts().cores || 4; }
const kMemory = 8 * 2 ** 30;
const kSpeed = 2400;  // MHz

let priority = 0;

function checkPid(pid) {
  if (pid !== undefined) validateInteger(pid, 'pid', -2147483648, 2147483647);
}

const texts = {
  arch: () => 'x64',
  availableParallelism: () => cores(),
  endianness: () => 'LE',
  freemem: () => kMemory / 2,
  homedir: () => native.facts.environment.HOME ?? '/home/node',
  hostname: () => 'localhost',
  machine: () => 'x86_64',
  platform: () => 'linux',
  release: () => '6.1.0',
  tmpdir() {
    const { environment } = native.facts;
    const path = environment.TMPDIR || environment.TMP || environment.TEMP || '/tmp';
    return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  },
  totalmem: () => kMemory,
  type: () => 'Linux',
  uptime: () => native.hrtime() / 1e9,
  version: () => '#1 SMP',
};
for (const name of Object.keys(texts)) {
  const original = texts[name];
  Object.defineProperty(original, Symbol.toPrimitive, { __proto__: null, configurable: true, value: () => original() });
}

module.exports = {
  ...texts,
  cpus: () => Array.from({ length: cores() }, () => (
    { model: 'loopsim', speed: kSpeed, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } })),
  getPriority(pid) {
    checkPid(pid);
    return priority;
  },
  loadavg: () => [0, 0, 0],
  networkInterfaces: () => ({
    lo: [
      { address: '127.0.0.1', netmask: '255.0.0.0', family: 'IPv4', mac: '00:00:00:00:00:00', internal: true, cidr: '127.0.0.1/8' },
      {
        address: '::1', netmask: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', family: 'IPv6', mac: '00:00:00:00:00:00', internal: true,
        cidr: '::1/128', scopeid: 0,
      },
    ],
  }),
  setPriority(pid, value) {
    if (value === undefined) [pid, value] = [0, pid];
    checkPid(pid);
    validateInteger(value, 'priority');
    if (value < -20 || value > 19) throw outOfRange('priority', '>= -20 && <= 19', value);
    priority = value;
  },
  userInfo: () => ({ uid: 1000, gid: 1000, username: 'node', homedir: module.exports.homedir(), shell: '/bin/bash' }),
  constants,
  devNull: '/dev/null',
  EOL: '\n',
};
