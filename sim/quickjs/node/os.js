// os (lib/os.js): of the simulated machine, whose cores are what the loop's machine has.
'use strict';

const native = internalBinding;

// A machine of `ideal` has a core for each thread: then as many as the smallest real one that does not wait.
function cores() { return native.machineFacts().cores || 4; }
const kMemory = 8 * 2 ** 30;

module.exports = {
  arch: () => 'x64',
  availableParallelism: () => cores(),
  cpus: () => Array.from({ length: cores() }, () => (
    { model: 'loopsim', speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } })),
  endianness: () => 'LE',
  freemem: () => kMemory / 2,
  getPriority: () => 0,
  homedir: () => '/',
  hostname: () => 'localhost',
  loadavg: () => [0, 0, 0],
  machine: () => 'x86_64',
  networkInterfaces: () => ({}),
  platform: () => 'linux',
  release: () => '6.1.0',
  setPriority() {},
  tmpdir: () => '/tmp',
  totalmem: () => kMemory,
  type: () => 'Linux',
  uptime: () => native.hrtime() / 1e9,
  userInfo: () => ({ uid: 0, gid: 0, username: 'node', homedir: '/', shell: '/bin/sh' }),
  version: () => '#1 SMP',
  constants: { signals: { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGUSR1: 10, SIGUSR2: 12, SIGPIPE: 13, SIGTERM: 15 } },
  devNull: '/dev/null',
  EOL: '\n',
};
