// stdout only
// Signals that stop a process, the debugger's and SIGXFSZ, which a process sends itself; and those that nobody can listen to.
var got = [];
['SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGUSR1', 'SIGXFSZ'].forEach(function (name) {
  process.on(name, function () { got.push(name); });
  setTimeout(function () { console.log(name, process.kill(process.pid, name)); }, 5);
});
['SIGKILL', 'SIGSTOP'].forEach(function (name) {
  try { process.on(name, function () {}); } catch (e) { console.log(name, e.name, e.message, e.code, e.errno, e.syscall, process.listenerCount ? process.listenerCount(name) : 0); }
  try { process.once(name, function () {}); } catch (e) { console.log(name, e.message); }
});
setTimeout(function () { console.log(got.sort().join()); process.exit(); }, 100);
