// process.exitCode as 'exit' listeners see it after process.exit(code).
'use strict';

process.on('exit', (code) => console.log(code, process.exitCode));
process.exit(3);
