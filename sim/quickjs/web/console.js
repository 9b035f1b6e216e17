// The object `console` (Console standard). What is printed in one call is one line.
'use strict';

const native = internalBinding;
const { inspect } = require('internal/inspect');
const { kInspect } = require('web/webidl');
const { isFirefox, isObject } = require('web/words');

const kOptions = { breakLength: Infinity, compact: true, depth: 4 };
const errorToString = Error.prototype.toString;
const isError = typeof Error.isError === 'function' ? Error.isError
                                                    : (value) => Object.prototype.toString.call(value) === '[object Error]';

// An error as one line, also within other values: its stack is not shown.
function errorText(error) {
  try {
    return Reflect.apply(errorToString, error, []);
  } catch {
    return 'Error';
  }
}

const shown = {
  value() { return `[${errorText(this)}]`; }, configurable: true, writable: true, enumerable: false,
};

// A value behind the words of a message.
function show(value, depth = kOptions.depth) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (!isObject(value)) return String(value);
  if (isError(value)) return errorText(value);
  if (value === globalThis) return 'Window';
  // What errors within a value look like is known only while they are asked.
  const { prototype } = Error;
  const own = Object.getOwnPropertyDescriptor(prototype, kInspect);
  Object.defineProperty(prototype, kInspect, shown);
  try {
    return inspect(value, { ...kOptions, depth }).replace(/\n\s*/g, ' ');
  } finally {
    if (own) Object.defineProperty(prototype, kInspect, own);
    else delete prototype[kInspect];
  }
}

const whole = (value) => (typeof value === 'symbol' ? NaN : parseInt(value, 10));
const kDirectives = {
  s: (value) => (isObject(value) ? show(value, 1) : show(value)),
  d: (value) => show(whole(value)),
  i: (value) => show(whole(value)),
  f: (value) => show(typeof value === 'symbol' ? NaN : parseFloat(value)),
  o: (value) => show(value),
  O: (value) => show(value),
  c: () => '',
};

function format(args) {
  if (args.length === 0) return '';
  const rest = args.slice(1);
  if (typeof args[0] !== 'string') return args.map((value) => show(value)).join(' ');
  const text = args[0].replace(/%([sdifoOc%])/g, (all, letter) => {
    if (letter === '%') return rest.length > 0 || args.length > 1 ? '%' : all;
    return rest.length === 0 ? all : kDirectives[letter](rest.shift());
  });
  return [text, ...rest.map((value) => show(value))].join(' ');
}

const counts = new Map();
const timers = new Map();
const labelOf = (label) => (label === undefined ? 'default' : `${label}`);
const print = (level, args) => native.print(level, format(args));

function elapsed(label, level, rest, isEnd) {
  const name = labelOf(label);
  if (!timers.has(name)) {
    native.print('warn', isFirefox() ? `Timer “${name}” doesn’t exist.` : `Timer '${name}' does not exist`);
    return;
  }
  const time = native.now() - timers.get(name);
  const text = isFirefox() ? `${name}: ${Math.round(time)}ms${isEnd ? ' - timer ended' : ''}` : `${name}: ${time} ms`;
  native.print(level, [text, ...rest.map((value) => show(value))].join(' '));
}

const methods = {
  log(...args) { print('log', args); },
  info(...args) { print('info', args); },
  debug(...args) { print('debug', args); },
  warn(...args) { print('warn', args); },
  error(...args) { print('error', args); },
  trace(...args) { print('log', args.length === 0 ? ['console.trace'] : args); },
  dir(value) { print('log', [value]); },
  dirxml(...args) { print('log', args); },
  table(...args) { print('log', args.slice(0, 1)); },
  group(...args) { print('log', args.length === 0 ? ['console.group'] : args); },
  groupCollapsed(...args) { print('log', args.length === 0 ? ['console.groupCollapsed'] : args); },
  groupEnd() {},
  clear() {},
  assert(condition = false, ...args) {
    if (condition) return;
    const [first, ...rest] = args;
    if (args.length === 0) native.print('error', isFirefox() ? 'Assertion failed' : 'Assertion failed: console.assert');
    else if (typeof first === 'string') print('error', [`Assertion failed: ${first}`, ...rest]);
    else print('error', ['Assertion failed:', ...args]);
  },
  count(label = 'default') {
    const name = labelOf(label);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    native.print('log', `${name}: ${counts.get(name)}`);
  },
  countReset(label = 'default') {
    const name = labelOf(label);
    if (counts.has(name)) counts.delete(name);
    else native.print('warn', isFirefox() ? `Counter “${name}” doesn’t exist.` : `Count for '${name}' does not exist`);
  },
  time(label = 'default') {
    const name = labelOf(label);
    if (timers.has(name)) native.print('warn', isFirefox() ? `Timer “${name}” already exists.` : `Timer '${name}' already exists`);
    else timers.set(name, native.now());
  },
  timeLog(label = 'default', ...args) { elapsed(label, 'log', args, false); },
  timeEnd(label = 'default') {
    elapsed(label, 'log', [], true);
    timers.delete(labelOf(label));
  },
  timeStamp() {},
  profile() {},
  profileEnd() {},
};

const console = Object.create({});
for (const [name, method] of Object.entries(methods)) {
  Object.defineProperty(method, 'length', { value: 0, configurable: true });
  console[name] = method;
}
Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });

module.exports = { console, errorText, format, show };
