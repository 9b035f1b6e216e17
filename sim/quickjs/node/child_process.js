// Child processes (lib/child_process.js): they use no CPU of the simulated machine, and end by themselves.
'use strict';

const native = internalBinding;
const { NativeEmitter } = require('internal/native_emitter');
const { takeChild } = require('internal/virtual_clock');

class ChildProcess extends NativeEmitter {
  kill(signal = 'SIGTERM') { return native.kill(this, Object(signal) === signal ? String(signal) : signal); }
}

function spawn(name) {
  const command = typeof name === 'symbol' ? '<exception>' : String(name);
  const told = takeChild(command);
  return told ? native.spawn(command, told.time, told.code) : native.spawn(command, -1, 0);
}

// There are no programs whose output or exit one could wait for.
function absent(name) {
  const text = `child_process.${name} is not simulated: spawn() is, and what a child takes the scenario says`;
  return { [name]() { throw new Error(text); } }[name];
}

module.exports = { ChildProcess, spawn };
for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawnSync']) module.exports[name] = absent(name);
