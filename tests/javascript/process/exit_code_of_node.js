// stdout only
// process.exitCode as 'exit' listeners see it after an exception.
'use strict';

process.exitCode = 5;
process.on('exit', (code) => {
  console.log(code, process.exitCode);
  process.exitCode = undefined;
  console.log(process.exitCode);
});
throw new Error('thrown');
