// The listeners by which Node itself listens: for signals, for warnings.
console.log(process.listeners('newListener').map(function (f) { return f.name + f.length; }), process.listeners('removeListener').map(function (f) { return f.name + f.length; }), process._eventsCount, Object.keys(process._events));
if (process.eventNames) console.log(process.eventNames());
process.on('newListener', function (name) { console.log('new', name); });
process.on('SIGUSR2', function () {});
process.on('custom', function () {});
console.log(process.listeners('newListener').length, Object.keys(process._events));
process.removeAllListeners('SIGUSR2');
process.removeAllListeners('newListener');
console.log(process.listeners('newListener').length, Object.keys(process._events));
