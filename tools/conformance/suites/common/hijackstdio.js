// Stands for test/common/hijackstdio.js: takes what is written to a standard stream.
'use strict';

function hijack(name, listener) {
  const stream = process[name];
  const { write } = stream;
  stream.writeTimes = 0;
  stream.write = (data, callback) => {
    try {
      listener(data);
    } catch (error) {
      process.nextTick(() => { throw error; });
    }
    write.call(stream, data, callback);
    stream.writeTimes++;
  };
  return write;
}

let originals = {};
function restore(name) {
  if (originals[name]) process[name].write = originals[name];
  delete originals[name];
}

module.exports = {
  hijackStdout(listener) { originals.stdout = hijack('stdout', listener); },
  hijackStderr(listener) { originals.stderr = hijack('stderr', listener); },
  restoreStdout() { restore('stdout'); },
  restoreStderr() { restore('stderr'); },
};
