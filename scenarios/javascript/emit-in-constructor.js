// A class emits an event in its constructor: who hears it?

'use strict';
const EventEmitter = require('events');

class Job extends EventEmitter {
  constructor() {
    super();
    this.emit('start', 'at once');
    process.nextTick(() => this.emit('start', 'from a tick'));
  }
}
const job = new Job();
job.on('start', (how) => console.log('start', how));
console.log('the listener is there');
