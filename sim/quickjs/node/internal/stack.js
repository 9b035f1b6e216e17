// What V8 makes of errors: the property `stack`, the messages of those that the language throws, and CallSites
// (v8/src/execution/messages.cc, isolate.cc; lib/internal/errors.js, prepareStackTrace).
//
// QuickJS calls prepare(error, sites) when an error is made, or thrown by the language. Frames of Node's own files are
// left out: they differ from release to release.
'use strict';

const native = internalBinding;
const { locate } = require('internal/source');
const { translate } = require('internal/messages');

const TheError = Error;
const { apply } = Reflect;
const errorToString = Error.prototype.toString;
const functionToString = Function.prototype.toString;

// ---- names of the functions of ECMAScript ------------------------------------------------------------------------------

// By function: how a frame names it ("Array.map", "new Promise").
const builtinNames = new WeakMap();
function nameBuiltins() {
  const noted = (fn, name) => { if (typeof fn === 'function' && !builtinNames.has(fn)) builtinNames.set(fn, name); };
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const value = Object.getOwnPropertyDescriptor(globalThis, name).value;
    if (value === null || (typeof value !== 'object' && typeof value !== 'function') || value === globalThis) continue;
    const isClass = typeof value === 'function' && value.prototype;
    if (typeof value === 'function') noted(value, isClass ? `new ${name}` : name);
    for (const [object, prefix] of [[value, typeof value === 'function' ? 'Function' : name], [isClass, name]]) {
      if (!object) continue;
      for (const key of Reflect.ownKeys(object)) {
        const it = Object.getOwnPropertyDescriptor(object, key);
        if (key !== 'constructor') noted(it.value, `${prefix}.${typeof key === 'symbol' ? `[${key.description}]` : key}`);
      }
    }
  }
}
nameBuiltins();

// ---- frames ----------------------------------------------------------------------------------------------------------------

// How functions that Node calls are named by what called them: [type of `this`, the property].
const callers = {
  setTimeout: ['Timeout', '_onTimeout'],
  setInterval: ['Timeout', '_onTimeout'],
  setImmediate: ['Immediate', '_onImmediate'],
};

function isMethod(text) {
  return !/^(async\s+)?function\b|^class\b|^(async\s*)?(\([^]*?\)|[\w$]+)\s*=>/.test(text);
}

// One frame of V8's. `site`: QuickJS's.
class CallSite {
  #frame;
  constructor(frame) { this.#frame = frame; }
  getThis() { return undefined; }
  getTypeName() { return this.#frame.type ?? null; }
  getFunction() { return this.#frame.fn; }
  getFunctionName() { return this.#frame.name || null; }
  getMethodName() { return this.#frame.type ? this.#frame.method || this.#frame.name || null : null; }
  getFileName() { return this.#frame.file; }
  getLineNumber() { return this.#frame.line; }
  getColumnNumber() { return this.#frame.column; }
  getEvalOrigin() { return undefined; }
  getScriptNameOrSourceURL() { return this.#frame.file; }
  getPromiseIndex() { return null; }
  isToplevel() { return this.#frame.type === undefined; }
  isEval() { return false; }
  isNative() { return this.#frame.isNative; }
  isConstructor() { return this.#frame.isConstructor; }
  isAsync() { return false; }
  isPromiseAll() { return false; }
  toString() { return textOf(this.#frame); }
}

function frameOf(site, callee, isOutermost) {
  const fn = site.getFunction();
  const frame = {
    fn, name: site.getFunctionName() || '', file: site.getFileName() ?? undefined, line: site.getLineNumber(),
    column: site.getColumnNumber(), isNative: site.isNative(), isConstructor: false, type: undefined, method: '',
  };
  if (frame.isNative || (typeof fn === 'function' && builtinNames.has(fn))) {
    frame.isNative = true;
    frame.file = undefined;
    frame.whole = (typeof fn === 'function' && builtinNames.get(fn)) || frame.name;
    return frame;
  }
  const place = locate(frame.file, frame.line, frame.column, callee);
  if (place) {
    frame.line = place.line;
    frame.column = place.column;
    frame.callsMember = place.isMember;
    if (place.isWrapper(fn)) {
      frame.type = 'Object';
      return frame;
    }
  }
  const text = typeof fn === 'function' ? apply(functionToString, fn, []) : 'function';
  if (text.startsWith('class')) {
    frame.isConstructor = true;
  } else if (isMethod(text)) {
    const className = place && place.classAt();
    if (!frame.name.startsWith('get ') && !frame.name.startsWith('set ')) frame.type = className || 'Object';
  } else if (isOutermost) {
    const caller = callers[native.runningApi ? native.runningApi() : ''];
    if (caller) [frame.type, frame.method] = caller;
  }
  return frame;
}

function textOf(frame) {
  if (frame.whole !== undefined) return `${frame.whole} (<anonymous>)`;
  const place = `${frame.file}:${frame.line}:${frame.column}`;
  const { name, type, method } = frame;
  if (frame.isConstructor) return `new ${name || '<anonymous>'} (${place})`;
  if (type !== undefined) {
    if (!name) return `${type}.${method || '<anonymous>'} (${place})`;
    return `${type}.${name}${method && method !== name ? ` [as ${method}]` : ''} (${place})`;
  }
  const accessor = /^[gs]et (.*)$/.exec(name);
  if (accessor) return `${name} [as ${accessor[1]}] (${place})`;
  return name ? `${name} (${place})` : place;
}

// A function that stands for one of the language (internal/json.js).
function nameBuiltin(fn, name) { builtinNames.set(fn, name); }

// Those of the program, and the functions of the language between them. `entered`: the name of what was called of the
// library, or the class of what was made.
function framesOf(sites, entered) {
  let natives = [];
  const shown = [];
  let callee = entered;
  for (const site of sites) {
    const file = site.getFileName();
    const fn = site.getFunction();
    if (site.isNative() || (typeof fn === 'function' && builtinNames.has(fn))) {
      if (!site.isNative()) natives = [];  // what a function of ours calls of the language
      natives.push([site, callee]);
      callee = site.getFunctionName();
      continue;
    }
    if (file === null || file === undefined || file.startsWith('node:') || file === '<input>') {
      natives = [];
      callee = site.getFunctionName() || callee;
      continue;
    }
    shown.push(...natives, [site, callee]);
    callee = site.getFunctionName();
    natives = [];
  }
  const frames = shown.map(([site, called], i) => frameOf(site, called, i === shown.length - 1 && natives.length === 0));
  for (let i = 0; i + 1 < frames.length; i++) {
    const frame = frames[i];
    const isPlain = !frame.isNative && !frame.isConstructor && frame.type === undefined && !/^[gs]et /.test(frame.name);
    if (isPlain && frames[i + 1].callsMember) frame.type = 'Object';
  }
  return frames.filter((frame) => !/^RegExp\.\[/.test(frame.whole ?? ''));
}

// ---- errors ----------------------------------------------------------------------------------------------------------------

function headerOf(error) {
  try {
    return apply(errorToString, error, []);
  } catch {
    return '<error>';
  }
}

// The frames of errors whose property `stack` nobody has read yet.
const unread = new WeakMap();
const { get: take, set: keep, delete: forget } = WeakMap.prototype;

function setStack(error, value) {
  apply(forget, unread, [error]);
  Object.defineProperty(error, 'stack', { value, writable: true, enumerable: false, configurable: true });
}

// As V8 does: what is read first sees the name and the message that the error has then.
const stackProperty = {
  get() {
    const frames = apply(take, unread, [this]);
    if (frames === undefined) return undefined;
    let stack;
    const users = Object.getOwnPropertyDescriptor(TheError, 'prepareStackTrace')?.value;
    if (typeof users === 'function') {
      stack = apply(users, TheError, [this, frames.map((frame) => new CallSite(frame))]);
    } else {
      stack = headerOf(this);
      for (const frame of frames) stack += `\n    at ${textOf(frame)}`;
    }
    setStack(this, stack);
    return stack;
  },
  set(value) { setStack(this, value); },
  enumerable: false,
  configurable: true,
};

function prepare(error, sites) {
  // A class of errors is not in the stack of what it makes.
  let first = 0;
  for (let i = 0; i < sites.length && !sites[i].isNative(); i++) {
    const fn = sites[i].getFunction();
    if (typeof fn !== 'function' || !fn.prototype || fn === TheError) continue;
    if (Object.prototype.isPrototypeOf.call(fn.prototype, error)) first = i + 1;
  }
  const isError = TheError.isError(error);
  const entered = !isError ? 'captureStackTrace' : typeof error.constructor === 'function' ? `new ${error.constructor.name}` : undefined;
  const frames = framesOf(first > 0 ? sites.slice(first) : sites, entered);
  const inner = sites.find((site) => !site.isNative());
  if (!inner || !String(inner.getFileName()).startsWith('node:')) translate(error, frames);
  apply(keep, unread, [error, frames]);
  Object.defineProperty(error, 'stack', stackProperty);
  return '';  // QuickJS's own: while it is undefined, each throw would make another
}

// From now on every error is made so.
function install() {
  const { set } = Object.getOwnPropertyDescriptor(TheError, 'prepareStackTrace');
  apply(set, TheError, [prepare]);
  delete TheError.prepareStackTrace;
  const capture = TheError.captureStackTrace;
  function captureStackTrace(object, above) {
    apply(capture, TheError, [object, above === undefined ? captureStackTrace : above]);
    if (apply(take, unread, [object])) Object.defineProperty(object, 'stack', stackProperty);
  }
  Object.defineProperty(TheError, 'captureStackTrace', { value: captureStackTrace, writable: true, enumerable: false, configurable: true });
}

module.exports = { install, nameBuiltin };
