// The event loop guide: an event of the constructor needs a tick to be heard.
const EventEmitter = require('node:events');
class Emitter extends EventEmitter {
  constructor() {
    super();
    process.nextTick(() => this.emit('event'));
  }
}
const emitter = new Emitter();
emitter.on('event', () => console.log('an event happened'));
