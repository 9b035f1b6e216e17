// process.stdout and process.stderr (lib/internal/bootstrap/switches/is_main_thread.js): what is written is on the trace by lines, a line
// when it is complete, or when the process ends.
'use strict';

const native = internalBinding;
const EventEmitter = require('events');
const { makeNodeError } = require('internal/errors');
const { invalidArgType } = require('internal/validate');
const { atLeast } = require('internal/version');

class Output extends EventEmitter {
  constructor(fd) {
    super();
    this.fd = fd;
    this.writable = true;
  }
  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') [encoding, callback] = [undefined, encoding];
    if (chunk === null) throw makeNodeError(TypeError, 'ERR_STREAM_NULL_VALUES', 'May not write null values to stream');
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
      const kinds = atLeast(20) ? ['string', 'Buffer', 'TypedArray', 'DataView'] : ['string', 'Buffer', 'Uint8Array'];
      throw invalidArgType('chunk', kinds, chunk);
    }
    const text = typeof chunk === 'string' ? chunk : require('buffer').Buffer.from(chunk).toString();
    native.write(text, this.fd === 2);
    if (typeof callback === 'function') require('process').nextTick(callback, null);
    return true;
  }
  end(chunk, encoding, callback) {
    if (chunk !== undefined && typeof chunk !== 'function') this.write(chunk, encoding, callback);
  }
  cork() {}
  uncork() {}
}

// As Node makes them: when they are first asked for.
const made = [];
function output(fd) {
  made[fd] ??= new Output(fd);
  return made[fd];
}

// A line of the console. It goes through a `write` that the program has put in its place.
function printLine(text, isError) {
  const stream = made[isError ? 2 : 1];
  if (stream && stream.write !== Output.prototype.write) stream.write(`${text}\n`);
  else native.print(text, isError);
}

module.exports = { output, printLine };
