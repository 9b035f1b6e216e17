// What every system has: echo, sleep, a shell, and nothing of another name.
'use strict';
const ChildProcess = require('child_process').ChildProcess;
const spawn = require('child_process').spawn;
const EventEmitter = require('events');

function tell(name, child, then) {
  let text = '';
  const lines = [];
  const tellEvent = (event) => child.on(event, (a, b) => lines.push([event, a instanceof Error ? a.message : a, b].join(' ')));
  ['error', 'exit', 'close'].forEach(tellEvent);
  if (child.stdout) child.stdout.on('data', (data) => { text += data; });
  if (child.stderr) child.stderr.on('data', (data) => { text += `(${data})`; });
  child.on('close', () => {
    console.log(name, JSON.stringify(text), lines.join('; '));
    console.log(' ', child.exitCode, child.signalCode, child.killed, child.spawnfile, child.spawnargs.join(' '), child.kill());
    then();
  });
}

const runs = [
  (then) => tell('echo', spawn('echo', ['hi', 'there']), then),
  (then) => tell('ignored', spawn('echo', ['hi'], { stdio: 'ignore' }), then),
  (then) => tell('some', spawn('sh', ['-c', 'echo out; echo err >&2; exit 3'], { stdio: ['ignore', 'pipe', 'ignore'] }), then),
  (then) => tell('nothing', spawn('no-such-command', ['a']), then),
  (then) => tell('nothing, ignored', spawn('no-such-command', { stdio: 'ignore' }), then),
  (then) => tell('shell', spawn('echo one && false || echo two; exit 4', { shell: true }), then),
  (then) => tell('not found', spawn('no-such-command', { shell: true, stdio: ['pipe', 'pipe', 'ignore'] }), then),
  (then) => {
    const child = spawn('sleep', ['5']);
    tell('killed', child, then);
    setTimeout(() => console.log('kill', child.kill('SIGINT'), child.killed, child.signalCode), 100);
  },
  (then) => {
    const child = spawn('sleep', ['5']);
    tell('twice', child, then);
    setTimeout(() => console.log('kill', child.kill(), child.kill()), 100);
  },
  (then) => {
    const child = spawn('true');
    console.log(child instanceof ChildProcess, child instanceof EventEmitter, typeof child.pid, child.connected, child.stdio.length);
    console.log(child.stdin.writable, child.stdin.readable, child.stdout.readable, child.stdout === child.stdio[1], child.stderr === child.stdio[2]);
    tell('true', child, then);
  },
  () => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
    child.unref();
    child.on('exit', () => console.log('never'));
    process.on('exit', () => console.log('killed at the end', child.kill()));
  },
];
(function next() { if (runs.length > 0) runs.shift()(next); })();
['', 5, undefined].forEach((command) => { try { spawn(command); } catch (e) { console.log(e instanceof TypeError); } });
