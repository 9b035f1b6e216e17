// Lines of an input (lib/readline.js, lib/internal/readline/interface.js): without a terminal, whose editing is not there.
// The input is a stream, or any emitter of 'data' and 'end'.
'use strict';

const EventEmitter = require('events');
const { StringDecoder } = require('string_decoder');
const { makeNodeError } = require('internal/errors');
const {
  AbortError, invalidArgValue, validateAbortSignal, validateFunction, validateInteger, validateNumber,
} = require('internal/validate');
const { atLeast } = require('internal/version');
const { markOwn } = require('internal/listeners');

const { apply } = Reflect;
const kQuestion = Symbol('kQuestion');
const kLine = Symbol('kLine');
const kEnd = /\r\n|\n|\r|\u2028|\u2029/g;

function useAfterClose() { return makeNodeError(Error, 'ERR_USE_AFTER_CLOSE', 'readline was closed'); }

function Interface(input, output, completer, terminal) {
  if (!(this instanceof Interface)) return new Interface(input, output, completer, terminal);
  EventEmitter.call(this);
  let crlfDelay;
  let prompt = '> ';
  let signal;
  let history;
  if (input?.input) {
    const options = input;
    ({ output, completer, terminal, crlfDelay, signal, history } = options);
    if (options.prompt !== undefined) ({ prompt } = options);
    if (options.historySize !== undefined) {
      validateNumber(options.historySize, 'historySize');
      if (Number.isNaN(options.historySize) || options.historySize < 0) {
        throw makeNodeError(RangeError, 'ERR_INVALID_ARG_VALUE',
                            `The argument 'historySize' is invalid. Received ${options.historySize}`);
      }
    }
    if (options.tabSize !== undefined) validateInteger(options.tabSize, 'tabSize', 1);
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    input = options.input;
  }
  if (completer !== undefined && typeof completer !== 'function') throw invalidArgValue('completer', completer);
  this.line = '';
  this.cursor = 0;
  this.terminal = !!terminal;
  this.input = input;
  this.output = output;
  this.history = history ?? [];
  this.closed = false;
  this.paused = false;
  this.crlfDelay = crlfDelay ? Math.max(100, crlfDelay) : 100;
  this.setPrompt(prompt);
  hide(this, 'decoder', new StringDecoder('utf8'));
  hide(this, 'rest', null);
  hide(this, 'sawReturnAt', 0);
  hide(this, kQuestion, undefined);
  hide(this, 'iterated', undefined);
  const onData = markOwn((data) => takeData(this, data));
  const onEnd = markOwn(() => {
    if (typeof this.rest === 'string' && this.rest.length > 0) this[kLine](this.rest);
    this.close();
  });
  input.on('data', onData);
  input.on('end', onEnd);
  const onError = atLeast(16) ? markOwn((error) => this.emit('error', error)) : undefined;
  if (onError) input.on('error', onError);
  this.once('close', markOwn(() => {
    input.removeListener('data', onData);
    input.removeListener('end', onEnd);
    if (onError) input.removeListener('error', onError);
  }));
  if (signal) {
    const onAbort = markOwn(() => this.close());
    if (signal.aborted) {
      require('process').nextTick(onAbort);
    } else {
      signal.addEventListener('abort', onAbort, { once: true });
      this.once('close', markOwn(() => signal.removeEventListener('abort', onAbort)));
    }
  }
  input.resume?.();
  return undefined;
}
Object.setPrototypeOf(Interface.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Interface, EventEmitter);

function hide(object, name, value) {
  Object.defineProperty(object, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
}

// Lines end where Node's do; '\r' and '\n' in two chunks are one end when they come within crlfDelay.
function takeData(it, data) {
  if (data === undefined) return;
  let text = it.decoder.write(data);
  if (it.sawReturnAt && (it.crlfDelay === Infinity || internalBinding.wallTime() - it.sawReturnAt <= it.crlfDelay)) {
    if (text.charCodeAt(0) === 10) text = text.slice(1);
    it.sawReturnAt = 0;
  }
  kEnd.lastIndex = 0;
  let end = kEnd.exec(text);
  if (end === null) {
    if (text) it.rest = it.rest ? it.rest + text : text;
    return;
  }
  it.sawReturnAt = text.endsWith('\r') ? internalBinding.wallTime() : 0;
  if (it.rest) {
    text = it.rest + text;
    it.rest = null;
    kEnd.lastIndex = 0;
    end = kEnd.exec(text);
  }
  const lines = [];
  let from = 0;
  do {
    lines.push(text.slice(from, end.index));
    from = kEnd.lastIndex;
    end = kEnd.exec(text);
  } while (end !== null);
  it.rest = text.slice(from);
  for (const line of lines) it[kLine](line);
}

Object.assign(Interface.prototype, {
  setPrompt(prompt) { hide(this, 'promptText', String(prompt)); },
  getPrompt() { return this.promptText; },
  getCursorPos() { return { rows: 0, cols: this.cursor }; },

  prompt() {
    if (this.closed && atLeast(22)) throw useAfterClose();
    if (this.paused) this.resume();
    writeOut(this, this.promptText);
  },

  question(query, options, callback) {
    if (typeof options === 'function') [callback, options] = [options, {}];
    options = typeof options === 'object' && options !== null ? options : {};
    if (options.signal) {
      validateAbortSignal(options.signal, 'options.signal');
      if (options.signal.aborted) return;
      const onAbort = markOwn(() => cancel(this));
      options.signal.addEventListener('abort', onAbort, { once: true });
      const answered = callback;
      callback = typeof answered === 'function' ? (answer) => {
        options.signal.removeEventListener('abort', onAbort);
        return answered(answer);
      } : answered;
    }
    if (typeof callback !== 'function') return;
    ask(this, query, callback);
  },

  close() {
    if (this.closed) return;
    this.pause();
    this.closed = true;
    this.emit('close');
  },

  pause() {
    if (this.closed && atLeast(24)) throw useAfterClose();
    if (this.paused) return undefined;
    this.input.pause?.();
    this.paused = true;
    this.emit('pause');
    return this;
  },

  resume() {
    if (this.closed && atLeast(24)) throw useAfterClose();
    if (!this.paused) return undefined;
    this.input.resume?.();
    this.paused = false;
    this.emit('resume');
    return this;
  },

  write(data) {
    if (this.closed && atLeast(24)) throw useAfterClose();
    if (this.paused) this.resume();
    if (data !== null && data !== undefined) takeData(this, data);
  },

  [Symbol.asyncIterator]() {
    this.iterated ??= iterate(this);
    return this.iterated;
  },
});
if (Symbol.dispose) {
  Object.defineProperty(Interface.prototype, Symbol.dispose, {
    __proto__: null, configurable: true, writable: true, value() { this.close(); },
  });
}
Object.defineProperty(Interface.prototype, kLine, {
  __proto__: null, configurable: true, writable: true,
  value(line) {
    if (this[kQuestion]) {
      const answered = this[kQuestion];
      this[kQuestion] = undefined;
      this.setPrompt(this.oldPrompt);
      answered(line);
    } else {
      this.emit('line', line);
    }
  },
});

function writeOut(it, text) {
  if (it.output !== null && it.output !== undefined && text) it.output.write(text);
}

// The question is no more: what is typed is a line again.
function cancel(it) {
  if (!it[kQuestion]) return;
  it[kQuestion] = undefined;
  it.setPrompt(it.oldPrompt);
  writeOut(it, '\r\n');
}

function ask(it, query, callback) {
  if (it.closed) throw useAfterClose();
  if (it[kQuestion]) {
    it.prompt();
    return;
  }
  hide(it, 'oldPrompt', it.promptText);
  it.setPrompt(query);
  it[kQuestion] = callback;
  it.prompt();
}

// An asynchronous iterator over the lines, which pauses the input while more than 1024 wait.
function iterate(it) {
  const lines = [];
  const waiting = [];
  let isDone = false;
  let failure;
  it.on('line', markOwn((line) => {
    const wait = waiting.shift();
    if (wait) {
      wait.resolve({ value: line, done: false });
      return;
    }
    lines.push(line);
    if (lines.length > 1024) it.pause();
  }));
  it.on('close', markOwn(() => {
    isDone = true;
    for (const wait of waiting.splice(0)) wait.resolve({ value: undefined, done: true });
  }));
  it.on('error', markOwn((error) => {
    const wait = waiting.shift();
    if (wait) wait.reject(error);
    else failure = error;
    it.close();
  }));
  return Object.setPrototypeOf({
    next() {
      if (lines.length > 0) {
        const value = lines.shift();
        if (it.paused && !it.closed && lines.length < 1) it.resume();
        return Promise.resolve({ value, done: false });
      }
      if (failure) {
        const reason = failure;
        failure = undefined;
        return Promise.reject(reason);
      }
      if (isDone || it.closed) return Promise.resolve({ value: undefined, done: true });
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return() {
      it.close();
      isDone = true;
      return Promise.resolve({ value: undefined, done: true });
    },
    throw(error) {
      it.close();
      return Promise.reject(error);
    },
    [Symbol.asyncIterator]() { return this; },
  }, asyncIteratorPrototype);
}
const asyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

function createInterface(input, output, completer, terminal) { return new Interface(input, output, completer, terminal); }

const kPromisify = Symbol.for('nodejs.util.promisify.custom');
Object.defineProperty(Interface.prototype.question, kPromisify, {
  __proto__: null, configurable: true,
  value(query, options) {
    const { signal } = options ?? {};
    if (signal?.aborted) return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
    return new Promise((resolve, reject) => {
      if (signal) signal.addEventListener('abort', () => reject(new AbortError(undefined, { cause: signal.reason })), { once: true });
      apply(Interface.prototype.question, this, [query, options ?? {}, resolve]);
    });
  },
});

// ---- the terminal's control sequences -----------------------------------------------------------------------------------------------

function control(stream, text, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (stream === null || stream === undefined) {
    if (typeof callback === 'function') require('process').nextTick(callback, null);
    return true;
  }
  return stream.write(text, callback);
}
function clearLine(stream, direction, callback) {
  return control(stream, direction < 0 ? '\x1b[1K' : direction > 0 ? '\x1b[0K' : '\x1b[2K', callback);
}
function clearScreenDown(stream, callback) { return control(stream, '\x1b[0J', callback); }
function cursorTo(stream, x, y, callback) {
  if (typeof y === 'function') [callback, y] = [y, undefined];
  return control(stream, typeof y === 'number' ? `\x1b[${y + 1};${x + 1}H` : `\x1b[${x + 1}G`, callback);
}
function moveCursor(stream, dx, dy, callback) {
  const across = dx < 0 ? `\x1b[${-dx}D` : dx > 0 ? `\x1b[${dx}C` : '';
  const down = dy < 0 ? `\x1b[${-dy}A` : dy > 0 ? `\x1b[${dy}B` : '';
  return control(stream, across + down, callback);
}
function emitKeypressEvents() {
  throw makeNodeError(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
                      'readline.emitKeypressEvents() is not in loopsim: there is no terminal (docs/javascript.md)');
}

Object.assign(module.exports, { Interface, clearLine, clearScreenDown, createInterface, cursorTo, emitKeypressEvents, moveCursor });
Object.defineProperty(module.exports, 'promises', {
  __proto__: null, configurable: true, enumerable: true, get() { return require('readline/promises'); },
});
