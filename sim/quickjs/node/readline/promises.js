// readline/promises (lib/readline/promises.js).
'use strict';

const { Interface: Base, clearLine, clearScreenDown, cursorTo, moveCursor } = require('readline');
const { AbortError, validateAbortSignal, validateBoolean } = require('internal/validate');

class Interface extends Base {
  question(query, options = {}) {
    return new Promise((resolve, reject) => {
      const { signal } = options ?? {};
      if (!signal) {
        super.question(query, options, resolve);
        return;
      }
      validateAbortSignal(signal, 'options.signal');
      if (signal.aborted) {
        reject(new AbortError(undefined, { cause: signal.reason }));
        return;
      }
      const onAbort = () => reject(new AbortError(undefined, { cause: signal.reason }));
      signal.addEventListener('abort', onAbort, { once: true });
      super.question(query, options, (answer) => {
        signal.removeEventListener('abort', onAbort);
        resolve(answer);
      });
    });
  }
}

// Control sequences that are written together.
class Readline {
  #stream;
  #waiting = [];
  #autoCommit = false;
  constructor(stream, options = undefined) {
    this.#stream = stream;
    if (options?.autoCommit != null) {
      validateBoolean(options.autoCommit, 'options.autoCommit');
      this.#autoCommit = options.autoCommit;
    }
  }
  #add(write) {
    let text = '';
    write({ write(part) { text += part; } });
    if (this.#autoCommit) require('process').nextTick(() => this.#stream.write(text));
    else this.#waiting.push(text);
    return this;
  }
  clearLine(direction) { return this.#add((stream) => clearLine(stream, direction)); }
  clearScreenDown() { return this.#add((stream) => clearScreenDown(stream)); }
  cursorTo(x, y) { return this.#add((stream) => cursorTo(stream, x, y)); }
  moveCursor(dx, dy) { return this.#add((stream) => moveCursor(stream, dx, dy)); }
  commit() { return new Promise((resolve) => this.#stream.write(this.#waiting.splice(0).join(''), resolve)); }
  rollback() {
    this.#waiting = [];
    return this;
  }
}

function createInterface(input, output, completer, terminal) { return new Interface(input, output, completer, terminal); }

module.exports = { Interface, Readline, createInterface };
