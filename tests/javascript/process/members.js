// What process tells of itself, as far as it is the same everywhere.
'use strict';
const attempt = (f) => { try { console.log(f()); } catch (error) { console.log(error.name, error.code, error.message); } };
console.log(Object.prototype.toString.call(process), process.release.name, typeof process.versions.v8, process.versions.modules);
console.log(process.features.inspector, process.features.debug, process.argv.length, process.execArgv, process.umask());
attempt(() => [process.umask(0o77), process.umask('022'), process.umask()]);
attempt(() => process.umask('9'));
attempt(() => process.hrtime(5));
attempt(() => process.hrtime([1]));
attempt(() => typeof process.hrtime.bigint());
attempt(() => process.hrtime([0, 0]).length);
attempt(() => process.cpuUsage(5));
attempt(() => process.cpuUsage({}));
attempt(() => process.cpuUsage({ user: -1, system: 1 }));
attempt(() => Object.keys(process.cpuUsage()));
attempt(() => Object.keys(process.memoryUsage()));
attempt(() => typeof process.memoryUsage.rss());
attempt(() => Object.keys(process.resourceUsage()).length);
attempt(() => process.kill('x'));
attempt(() => process.kill(process.pid, 'SIGNOTHING'));
attempt(() => process.kill(process.pid, 0));
attempt(() => process.allowedNodeEnvironmentFlags.has('--expose_gc'));
attempt(() => process.allowedNodeEnvironmentFlags.has('--stack-trace-limit=5'));
attempt(() => process._exiting);
attempt(() => process.emitWarning());
attempt(() => process.emitWarning('x', 5));
attempt(() => process.nextTick(5));
setTimeout(() => {}, 5);
setImmediate(() => {});
if (process.getActiveResourcesInfo) {
  console.log(process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate'));
}
process.on('exit', () => console.log(process._exiting));
