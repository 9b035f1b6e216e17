// An 'error' that nobody listens to.
'use strict';
const EventEmitter = require('events');
class Connection extends EventEmitter {
  close(error) {
    this.emit('error', error);
  }
}
const connection = new Connection();
setTimeout(function later() {
  connection.close(new Error('reset'));
}, 1);
