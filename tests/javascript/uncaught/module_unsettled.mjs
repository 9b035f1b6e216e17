// stdout only
// process.exitCode as 'exit' listeners see it when a top-level await is never settled.
process.on('exit', (code) => console.log(code, process.exitCode));
await new Promise(() => {});
