// Too many listeners; codes of errors; the order in which once() listens.
'use strict';
const events = require('events');
const emitter = new events.EventEmitter();
emitter.setMaxListeners(1);
for (let i = 0; i < 3; i++) emitter.on('a', function () {});
try {
  emitter.on('a', null);
} catch (error) {
  console.log(error.name, error.message, error.code, Object.keys(error).join(), Object.prototype.hasOwnProperty.call(error, 'code'));
}
if (events.once) {
  const other = new events.EventEmitter();
  other.on('newListener', function (name) { console.log('newListener', name); });
  events.once(other, 'b');
}
