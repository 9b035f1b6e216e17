// The event loop guide: a callback that is called too early, and one that is put off with a tick.
let bar;
function early(callback) { callback(); }
function late(callback, ...given) { process.nextTick(callback, ...given); }
early(() => console.log('early', bar));
late((...given) => console.log('late', bar, given), 'with', 'arguments');
bar = 1;
