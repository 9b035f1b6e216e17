// An 'error' that is no error, and that nobody listens to.
'use strict';
const EventEmitter = require('events');
new EventEmitter().emit('error', { status: 5 });
