// The forms that wait.
'use strict';
const execFileSync = require('child_process').execFileSync;
const execSync = require('child_process').execSync;
const spawnSync = require('child_process').spawnSync;

console.log(execSync('echo hi').toString(), execSync('echo hi', { encoding: 'utf8' }), execFileSync('echo', ['a', 'b'], { encoding: 'utf8' }));
const told = (result) => console.log(result.status, result.signal, String(result.stdout), String(result.stderr), result.output && result.output.length,
                                     result.error && result.error.message, result.error && result.error.code);
told(spawnSync('sh', ['-c', 'echo out; echo err >&2; exit 3']));
told(spawnSync('no-such-command', ['x']));
told(spawnSync('sleep', ['5'], { timeout: 50 }));
told(spawnSync('echo', ['ignored'], { stdio: 'ignore' }));
try {
  execSync('echo before; exit 2', { stdio: 'pipe' });
} catch (error) {
  console.log(error.message, error.status, error.signal, String(error.stdout), String(error.stderr));
}
try {
  execFileSync('no-such-command');
} catch (error) {
  console.log(error.message, error.code, error.syscall, error.path);
}
const begun = Date.now();
execSync('sleep 0.2');
console.log(Date.now() - begun >= 200);
