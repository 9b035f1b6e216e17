'use strict';
const EventEmitter = require('events');
new EventEmitter().on('a', 5);
