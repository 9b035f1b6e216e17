// The order of listeners, of newListener and removeListener, and what a listener sees that changes the listeners.
'use strict';
const EventEmitter = require('events');
const util = require('util');

const e = new EventEmitter();
e.on('newListener', (event, listener) => console.log('newListener', String(event), listener.name, e.listenerCount(event)));
e.on('removeListener', (event, listener) => console.log('removeListener', String(event), listener.name, e.listenerCount(event)));
function a(...args) { console.log('a', args.join()); }
function b() { console.log('b'); }
function c() { console.log('c'); }
e.on('x', a);
e.prependListener('x', b);
e.once('x', c);
e.prependOnceListener('x', function d() { console.log('d', this === e); });
console.log(e.listeners('x').map((f) => f.name).join(), e.rawListeners('x').map((f) => typeof f.listener).join());
console.log(e.emit('x', 1, 2), e.emit('x', 3), e.emit('nothing'));
e.off('x', a);
e.removeAllListeners('x');
console.log(e.eventNames().join(), e.listenerCount('x'));

const s = Symbol('sym');
const m = new EventEmitter();
m.on(s, () => console.log('symbol'));
m.on('y', function first() {
  console.log('first');
  m.on('y', () => console.log('added'));
  m.off('y', second);
});
function second() { console.log('second'); }
m.on('y', second);
m.emit(s);
m.emit('y');
console.log('--');
m.emit('y');
console.log(m.eventNames().length, m._eventsCount, Object.keys(m._events).join());

class Sub extends EventEmitter {
  constructor() { super(); this.on('hi', this.hi); }
  hi(who) { console.log('hi', who, this instanceof Sub); }
}
new Sub().emit('hi', 'you');
function Old() { EventEmitter.call(this); }
util.inherits(Old, EventEmitter);
const old = new Old();
old.on('z', () => console.log('z')).once('z', () => console.log('z once'));
old.emit('z');
old.emit('z');
console.log(old.getMaxListeners(), old.setMaxListeners(3) === old, old.getMaxListeners(), EventEmitter.defaultMaxListeners);
console.log(EventEmitter.listenerCount(old, 'z'), EventEmitter === EventEmitter.EventEmitter);
const again = new EventEmitter();
let n = 0;
again.once('loop', () => { n++; if (n < 3) again.emit('loop'); console.log('loop', n); });
again.emit('loop');
e.removeAllListeners();
console.log(e.eventNames().length);
