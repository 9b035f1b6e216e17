// An 'exit' listener sets another code, and prints before the report.
'use strict';
process.on('exit', (code) => {
  console.error('exit with', code);
  process.exitCode = 9;
});
throw new Error('the end');
