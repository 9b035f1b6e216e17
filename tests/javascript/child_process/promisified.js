// promisify() of both, and of signals that abort.
'use strict';
const { exec, execFile, spawn } = require('child_process');
const { promisify } = require('util');

(async () => {
  console.log(await promisify(exec)('echo hi'));
  console.log(await promisify(execFile)('echo', ['there']));
  try {
    await promisify(exec)('echo before; exit 2');
  } catch (error) {
    console.log(error.code, JSON.stringify(error.stdout), JSON.stringify(error.stderr));
  }
  const promise = promisify(execFile)('true');
  console.log(typeof promise.child.pid, await promise);
  const abort = new AbortController();
  const child = spawn('sleep', ['5'], { signal: abort.signal });
  child.on('error', (error) => console.log('error', error.name, error.code));
  child.on('exit', (code, signal) => console.log('exit', code, signal));
  await new Promise((done) => {
    child.on('close', done);
    setTimeout(() => abort.abort(), 50);
  });
  const late = spawn('sleep', ['5'], { timeout: 50, killSignal: 'SIGKILL' });
  await new Promise((done) => late.on('close', (...args) => done(console.log('timeout', args))));
})();
