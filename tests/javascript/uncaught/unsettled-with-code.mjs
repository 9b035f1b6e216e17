// stdout only. An await at the top that never settles, and an exit code of 0 that was set: since Node 22 it is as if none was.
process.exitCode = 0;
process.on('exit', (c) => console.log('exit', c, process.exitCode));
await new Promise(() => {});
