// timers: hasRef, ref, unref, and that they return the timer.
const timer = setTimeout(() => console.log('never'), 5000);
console.log(timer.hasRef(), timer.unref() === timer, timer.hasRef(), timer.ref() === timer, timer.hasRef());
timer.unref();
const immediate = setImmediate(() => console.log('immediate'));
console.log(immediate.hasRef(), immediate.unref().hasRef(), immediate.ref().hasRef());
process.on('exit', () => console.log('exit'));
