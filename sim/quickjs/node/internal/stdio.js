// process.stdout, process.stderr and process.stdin (lib/internal/bootstrap/switches/is_main_thread.js): files to which Node writes at
// once, and an input that is a file. What is printed in one call up to a line's end is one event of the trace; the rest of a line
// waits for its end, or for that of the process.
'use strict';

const native = internalBinding;
const { current } = require('internal/streams');
const { internalTick } = require('internal/ticks');
const { atLeast } = require('internal/version');
const { Buffer } = require('buffer');

const { apply } = Reflect;
const { toString } = Buffer.prototype;

let stdout;
let stderr;
let stdin;
let writeOfStdout;
let writeOfStderr;

function makeOutput(fd) {
  const isError = fd === 2;
  const stream = new (current().Writable)({
    decodeStrings: false,
    autoDestroy: atLeast(14),
    write(chunk, encoding, callback) {
      native.write(typeof chunk === 'string' ? chunk : apply(toString, Buffer.from(chunk), ['utf8']), isError);
      callback();
    },
  });
  stream._type = 'fs';
  stream._isStdio = true;
  stream.fd = fd;
  stream.destroySoon = stream.destroy;
  stream._destroy = function dummyDestroy(error, callback) {
    callback(error);
    this._undestroy?.();
    if (!this._writableState.emitClose) internalTick(() => this.emit('close'));
  };
  return stream;
}

// As of a process whose standard input is a file.
function makeInput() {
  const stream = new (require('internal/fs/streams').classes().ReadStream)(undefined, { fd: 0, autoClose: false });
  if (!atLeast(15)) stream.path = null;
  return stream;
}

// console's own writes, which go through the streams where the program has changed them.
function writeLine(text, isError) {
  if (isError) {
    if (stderr !== undefined && stderr.write !== writeOfStderr) {
      stderr.write(`${text}\n`);
      return;
    }
  } else if (stdout !== undefined && stdout.write !== writeOfStdout) {
    stdout.write(`${text}\n`);
    return;
  }
  native.print(text, isError);
}

function define(process) {
  const getters = {
    stdout() {
      if (stdout === undefined) {
        stdout = makeOutput(1);
        writeOfStdout = stdout.write;
      }
      return stdout;
    },
    stderr() {
      if (stderr === undefined) {
        stderr = makeOutput(2);
        writeOfStderr = stderr.write;
      }
      return stderr;
    },
    stdin() { return stdin ??= makeInput(); },
  };
  for (const [name, get] of Object.entries(getters)) {
    Object.defineProperty(process, name, { __proto__: null, get, configurable: true, enumerable: true });
  }
}

module.exports = { define, writeLine };
