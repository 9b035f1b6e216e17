// The object `console` (lib/internal/console). What is printed in one call is one event of the trace.
'use strict';

const native = internalBinding;
const { inspect, formatWithOptions, format } = require('internal/inspect');
const { now } = require('internal/clock');
const table = require('internal/cli_table');
const { writeLine } = require('internal/stdio');
const types = require('internal/types');
const { atLeast } = require('internal/version');

const kIndentation = 2;

// As lib/internal/util/debuglog.js: the time that a timer has run.
function formatTime(milliseconds) {
  if (!atLeast(6)) return `${Math.round(milliseconds)}ms`;
  if (!atLeast(13)) return `${milliseconds.toFixed(3)}ms`;
  let hours = 0;
  let minutes = 0;
  let seconds = 0;
  if (milliseconds >= 1000) {
    if (milliseconds >= 60_000) {
      if (milliseconds >= 3_600_000) {
        hours = Math.floor(milliseconds / 3_600_000);
        milliseconds %= 3_600_000;
      }
      minutes = Math.floor(milliseconds / 60_000);
      milliseconds %= 60_000;
    }
    seconds = milliseconds / 1000;
  }
  const pad = (value) => String(value).padStart(2, '0');
  if (hours !== 0 || minutes !== 0) {
    const [whole, rest] = seconds.toFixed(3).split('.');
    if (hours !== 0) return `${hours}:${pad(minutes)}:${pad(whole)} (h:mm:ss)`;
    return `${minutes}:${pad(whole)}.${rest} (m:ss.mmm)`;
  }
  if (seconds !== 0) return `${seconds.toFixed(3)}s`;
  return `${Number(milliseconds.toFixed(3))}ms`;
}

function warn(text) {
  require('process').emitWarning(text);
}

// The label of who gives none.
function labelOf(label) { return label === undefined && atLeast(10) ? 'default' : `${label}`; }

class Console {
  #indentation = '';
  #groupIndentation = kIndentation;
  #counts = new Map();
  #timers = new Map();
  #write;

  // `write`: what takes (text, is_error); a Console that a program makes writes to its streams.
  constructor(options) {
    if (typeof options === 'function') {
      this.#write = options;
    } else {
      const given = arguments.length > 1 || (options && typeof options.write === 'function') ?
        { stdout: options, stderr: arguments[1] } : options || {};
      const { stdout, stderr = stdout, groupIndentation = kIndentation } = given;
      if (!stdout || typeof stdout.write !== 'function') {
        const { makeNodeError } = require('internal/errors');
        throw makeNodeError(TypeError, 'ERR_CONSOLE_WRITABLE_STREAM',
                            'Console expects a writable stream instance for stdout');
      }
      this.#groupIndentation = groupIndentation;
      this.#write = (text, isError) => { (isError ? stderr : stdout).write(`${text}\n`); };
    }
    // The methods are of the object itself, bound to it.
    for (const name of Object.getOwnPropertyNames(Console.prototype)) {
      if (name === 'constructor') continue;
      const method = Console.prototype[name];
      Object.defineProperty(this, name, {
        value: Object.defineProperty((...args) => Reflect.apply(method, this, args), 'name', { value: name }),
        writable: true, enumerable: true, configurable: true,
      });
    }
  }

  #print(text, isError) {
    if (this.#indentation !== '') {
      if (text.includes('\n')) text = text.replace(/\n/g, `\n${this.#indentation}`);
      text = this.#indentation + text;
    }
    this.#write(text, isError);
  }

  log(...args) { this.#print(format(...args), false); }
  info(...args) { this.#print(format(...args), false); }
  debug(...args) { this.#print(format(...args), false); }
  warn(...args) { this.#print(format(...args), true); }
  error(...args) { this.#print(format(...args), true); }

  dir(object, options) { this.#print(inspect(object, { customInspect: false, ...options }), false); }
  dirxml(...args) { if (atLeast(10)) this.#print(format(...args), false); }

  time(label) {
    label = labelOf(label);
    if (this.#timers.has(label) && atLeast(11)) return warn(`Label '${label}' already exists for console.time()`);
    this.#timers.set(label, now());
  }

  timeEnd(label) {
    if (this.#timeLog('timeEnd', label, [])) this.#timers.delete(labelOf(label));
  }

  timeLog(label, ...data) { this.#timeLog('timeLog', label, data); }

  #timeLog(name, label, data) {
    label = labelOf(label);
    const from = this.#timers.get(label);
    if (from === undefined) {
      if (!atLeast(6)) throw new Error(`No such label: ${label}`);
      warn(`No such label '${label}' for console.${name}()`);
      return false;
    }
    this.#print(format('%s: %s', label, formatTime((now() - from) / 1e6), ...data), false);
    return true;
  }

  trace(...args) {
    const error = { name: 'Trace', message: format(...args) };
    Error.captureStackTrace(error, this.trace);
    this.#print(String(error.stack), true);
  }

  assert(condition, ...args) {
    if (condition) return;
    if (!atLeast(10)) return require('assert').ok(false, args.length > 0 ? format(...args) : undefined);
    if (native.facts.major < 22 || typeof args[0] === 'string' || args.length === 0) {
      args[0] = `Assertion failed${args.length === 0 ? '' : `: ${args[0]}`}`;
    } else {
      args.unshift('Assertion failed');
    }
    this.warn(...args);
  }

  clear() {}

  count(label = 'default') {
    label = `${label}`;
    const count = (this.#counts.get(label) ?? 0) + 1;
    this.#counts.set(label, count);
    this.log(`${label}: ${count}`);
  }

  countReset(label = 'default') {
    label = `${label}`;
    if (!this.#counts.has(label) && atLeast(11)) return warn(`Count for '${label}' does not exist`);
    this.#counts.delete(label);
  }

  group(...data) {
    if (data.length > 0) this.log(...data);
    this.#indentation += ' '.repeat(this.#groupIndentation);
  }

  groupCollapsed(...data) { this.group(...data); }

  groupEnd() {
    this.#indentation = this.#indentation.slice(0, this.#indentation.length - this.#groupIndentation);
  }

  table(data, properties) {
    if (!atLeast(10)) return;  // it is the debugger's
    if (data === null || typeof data !== 'object') return this.log(data);
    if (properties !== undefined && !Array.isArray(properties)) {
      const { makeNodeError, received } = require('internal/errors');
      throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE',
                          `The "properties" argument must be an instance of Array.${received(properties)}`);
    }
    const final = (keys, columns) => this.log(table(keys, columns));
    const formatCell = (value) => {
      const options = {
        maxArrayLength: 3, breakLength: Infinity, colors: false,
        depth: value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 2 ? -1 : 0,
      };
      return inspect(value, options);
    };
    const indexes = (length) => Array.from({ length }, (_, i) => i);

    if (types.isMap(data)) {
      const keys = [];
      const values = [];
      for (const [key, value] of Map.prototype.entries.call(data)) {
        keys.push(formatCell(key));
        values.push(formatCell(value));
      }
      return final(['(iteration index)', 'Key', 'Values'], [indexes(keys.length), keys, values]);
    }
    if (types.isSet(data)) {
      const values = [...Set.prototype.values.call(data)].map(formatCell);
      return final(['(iteration index)', 'Values'], [indexes(values.length), values]);
    }

    const map = Object.create(null);
    let hasPrimitives = false;
    const primitives = [];
    const rows = Object.keys(data);
    for (let i = 0; i < rows.length; i++) {
      const item = data[rows[i]];
      const isPrimitive = item === null || (typeof item !== 'function' && typeof item !== 'object');
      if (isPrimitive) {
        hasPrimitives = true;
        primitives[i] = formatCell(item);
      } else {
        for (const key of properties || Object.keys(item)) {
          map[key] ??= [];
          if (!Object.hasOwn(item, key)) map[key][i] = '';
          else map[key][i] = formatCell(item[key]);
        }
      }
    }
    const head = ['(index)', ...Object.keys(map)];
    const columns = [rows, ...Object.values(map)];
    if (hasPrimitives) {
      head.push('Values');
      columns.push(primitives);
    }
    return final(head, columns);
  }
}

const console = new Console(writeLine);
Object.defineProperty(console, Symbol.toStringTag, { value: 'console', writable: false, enumerable: false, configurable: true });
console.Console = Console;
// What this version has not is no method of other consoles, either.
console.restrict = () => {
  for (const name of Object.getOwnPropertyNames(Console.prototype)) {
    if (name !== 'constructor' && !Object.hasOwn(console, name)) delete Console.prototype[name];
  }
};

module.exports = console;
