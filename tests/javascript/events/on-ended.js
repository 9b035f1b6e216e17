// How an iterator of events.on() takes its listeners away when it ends.
const events=require('events');
const e1 = new events.EventEmitter();
const i2 = events.on(e1, 'b');
console.log(e1.listeners('error').length, e1.rawListeners('error').map(f=>f.name), e1.rawListeners('b').map(f=>f.name));
e1.on('removeListener', (w8) => console.log('removed',w8));
e1.emit('error', new TypeError('one'));
console.log('--');
i2.next().then(console.log,(e)=>console.log('E',e.message));
