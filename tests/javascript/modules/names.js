// Which of Node's modules require() finds: those that loopsim has, and names that are none. node: is a part of them since Node 14.18.
[
  'assert', 'assert/strict', 'async_hooks', 'buffer', 'child_process', 'console', 'crypto', 'dns', 'dns/promises', 'events', 'fs',
  'fs/promises', 'module', 'net', 'os', 'path', 'path/posix', 'perf_hooks', 'process', 'querystring', 'readline', 'readline/promises',
  'stream', 'stream/promises', 'string_decoder', 'timers', 'timers/promises', 'url', 'util', 'util/types', 'worker_threads', 'zlib',
  'node:fs', 'node:timers/promises', 'node:nothing',
].forEach(function (name) {
  var found;
  try {
    found = typeof require(name);
  } catch (error) {
    found = error.code + ': ' + error.message.split('\n')[0];
  }
  console.log(name, found);
});
