// A command that is not there, with pipes and without: what comes between its error and its close.
'use strict';
const spawn = require('child_process').spawn;

function run(name, options, then) {
  const child = spawn('no-such-command', options);
  child.on('error', (error) => console.log(name, 'error', error.code, error.errno === error.code || error.errno < 0, error.syscall, error.path));
  child.on('exit', () => console.log(name, 'exit'));
  child.on('close', (code, signal) => {
    console.log(name, 'close', code < 0, signal);
    setTimeout(then, 100);
  });
  console.log(name, child.pid);
  process.nextTick(() => console.log(name, 'tick'));
  setImmediate(() => console.log(name, 'immediate'));
}

run('pipes', {}, () => run('ignored', { stdio: 'ignore' }, () => run('some', { stdio: ['ignore', 'pipe', 'ignore'] }, () => {})));
