// exec(), execFile(), and what their callbacks get.
'use strict';
const exec = require('child_process').exec;
const execFile = require('child_process').execFile;

function tell(name, then) {
  return (error, stdout, stderr) => {
    console.log(name, JSON.stringify(String(stdout)), JSON.stringify(String(stderr)), typeof stdout);
    if (error) console.log(' ', JSON.stringify(error.message), error.code, error.signal, error.killed, error.cmd, error.syscall, error.path);
    then();
  };
}

const runs = [
  (then) => exec('echo hi', tell('echo', then)),
  (then) => exec('echo out; echo err >&2; exit 3', tell('exit code', then)),
  (then) => execFile('echo', ['a', 'b'], tell('execFile', then)),
  (then) => execFile('no-such-command', ['a'], tell('nothing', then)),
  (then) => execFile('false', tell('false', then)),
  (then) => exec('sleep 5', { timeout: 100 }, tell('timeout', then)),
  (then) => execFile('sleep', ['5'], { timeout: 100, killSignal: 'SIGINT' }, tell('signal', then)),
  (then) => exec('echo 12345678', { maxBuffer: 4 }, tell('too much', then)),
  (then) => exec('echo hi', { encoding: 'buffer' }, tell('bytes', then)),
  (then) => {
    const child = exec('echo no callback');
    child.stdout.on('data', (text) => console.log('data', JSON.stringify(text)));
    child.on('exit', (code) => { console.log('exit', code); });
    child.on('close', then);
  },
];
(function next() { if (runs.length > 0) runs.shift()(next); })();
