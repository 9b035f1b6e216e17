// The last listener, of 'removeListener' itself, is gone: since Node 22 that is emitted, to nobody.
'use strict';

const E = require('events');
class C extends E { emit(w, v) { console.log('emit', w, v); return super.emit(w, v); } }

for (const K of [C, E]) {
const e = new K();
e.once('removeListener', (w) => console.log('listener', w));
e.once('b', () => console.log('b'));
e.emit('b');
console.log(e.eventNames());
const f = new K();
f.on('removeListener', (w) => console.log('kept', w));
f.once('b', () => console.log('b'));
f.emit('b'); f.removeAllListeners('removeListener');
const g = new K(); const l = (w) => console.log('own', w); g.on('removeListener', l); g.removeListener('removeListener', l);
}
