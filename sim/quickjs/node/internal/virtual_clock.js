// What a script may say to the clock of tools/conformance, as its README describes: the same here, so that the script that
// a scenario stands for takes exactly the scenario's times. Only where the process's environment has LOOPSIM_VCLOCK.
'use strict';

const native = internalBinding;

function isOn() { return native.facts.environment.LOOPSIM_VCLOCK !== undefined; }

// process.chdir(`vclock:...`); false: it is a folder.
function command(text) {
  if (!isOn() || !text.startsWith('vclock:')) return false;
  const [, what, ...values] = text.split(':');
  if (what === 'burn') native.cpu(Number(values[0]));
  else if (what === 'tick') native.cpu(1e6 - native.hrtime() % 1e6);
  else if (what === 'child') {
    require('internal/commands').declare(`vclock-child-${values[1]}`, { time: Number(values[0]), code: Number(values[2]) });
  }
  return true;
}

// A request that takes a known time: its nanoseconds, and whether it fails.
function operation(path) {
  const told = isOn() && /^\/vclock\/(op|fail)\/(\d+)\//.exec(path);
  return told ? { time: Number(told[2]), fails: told[1] === 'fail' } : null;
}

function lookup(host) {
  const told = isOn() && /^vclock-op-(\d+)-/.exec(host);
  return told ? Number(told[1]) : null;
}

module.exports = { command, operation, lookup };
