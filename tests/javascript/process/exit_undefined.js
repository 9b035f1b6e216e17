// An argument that is undefined unsets the code from Node 20 on.
process.on('exit', function (code) { console.log(code, process.exitCode); });
process.exitCode = 5;
process.exit(undefined);
