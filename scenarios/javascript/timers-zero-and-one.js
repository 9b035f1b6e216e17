// Delays of 2, 1, 0 and none: in which order do the timers run?

setTimeout(() => console.log('two'), 2);
setTimeout(() => console.log('one'), 1);
setTimeout(() => console.log('zero'), 0);
setTimeout(() => console.log('none'));
setTimeout(() => console.log('negative'), -100);
setTimeout(() => console.log('no number'), 'soon');
