// A method given to `setTimeout`: what is `this`?
// Needs Node 6.

'use strict';
const clock = {
  name: 'the clock',
  tell() { console.log(this === undefined ? 'nothing' : this.name || this.constructor.name); },
};
const { tell } = clock;
setTimeout(clock.tell, 0);
setTimeout(clock.tell.bind(clock), 0);
setTimeout(() => clock.tell(), 0);
process.nextTick(function () { console.log('a tick has', this === undefined ? 'nothing' : typeof this); });
tell.call(undefined);
