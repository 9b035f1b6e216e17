// A microtask throws a value that is no error: the report shows the line that runs microtasks where ticks were run, too.
process.on('uncaughtExceptionMonitor', () => console.log('seen'));
process.nextTick(() => {});
queueMicrotask(() => { throw false; });
