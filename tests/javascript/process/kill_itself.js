'use strict';
// The signals that no scenario sends: with a listener, without an effect, and what ends the process.
const heard = [];
for (const name of ['SIGXCPU', 'SIGIO']) process.once(name, () => heard.push(name));
process.on('exit', () => console.log('exit: never'));
for (const name of ['SIGURG', 'SIGCHLD', 'SIGPIPE']) console.log(name, process.kill(process.pid, name));
setTimeout(() => process.kill(process.pid, 'SIGXCPU'), 1);
setTimeout(() => process.kill(process.pid, 'SIGIO'), 20);
setTimeout(() => {
  console.log(heard.join(' '));
  process.kill(process.pid, 'SIGVTALRM');
}, 40);
setTimeout(() => {}, 1000);
