'use strict';  // what is made with new, and is no error, is thrown for where it is made
const events = require('events');
const e1 = new events.EventEmitter();
e1.on('b', function (a) { for (const x of new Date()) console.log(8, x); });
setTimeout(() => { e1.emit('b', 0); }, 0);
