// What V8 makes of errors: the property `stack`, the messages of those that the language throws, and CallSites
// (v8/src/execution/messages.cc, isolate.cc; lib/internal/errors.js, prepareStackTrace).
//
// QuickJS calls prepare(error, sites) when an error is made, or thrown by the language. Frames of Node's own files are
// left out: they differ from release to release.
'use strict';

const native = internalBinding;
const { classOf, typedArrayOf } = require('internal/class_of');
const { isWrapper, lineOf, locate, nameOf, syntaxAt, wrapperAt } = require('internal/source');
const { wordsOfSyntax } = require('internal/syntax_words');
const { translate, translatePlain } = require('internal/messages');
const { wordsOfSubject } = require('internal/subject_words');
const { atLeast } = require('internal/version');

const TheError = Error;
const { prototype: suppressedPrototype } = SuppressedError;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply } = Reflect;
const { keys: keysOf } = Object;
const { test: testOf } = RegExp.prototype;
const regExpTest = (pattern, text) => apply(testOf, pattern, [text]);
const errorToString = Error.prototype.toString;
const functionToString = Function.prototype.toString;

// ---- names of the functions of ECMAScript ------------------------------------------------------------------------------

// By function: how a frame names it ("Array.map", "new Promise").
const builtinNames = new WeakMap();
const statics = new WeakMap();  // by function of a class: as Node 24 names it
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
        if (key === 'constructor') continue;
        const shown = `${prefix}.${typeof key === 'symbol' ? `[${key.description}]` : key}`;
        noted(it.value, shown);
        const isStatic = prefix === 'Function' && value !== Function && typeof it.value === 'function';
        if (isStatic) statics.set(it.value, `${name}.${shown.slice(9)}`);
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

const { prototype: generatorFunctions } = Object.getPrototypeOf(function* () {}).constructor;

// Of a frame of QuickJS's. Frames themselves have no such method any more (install()): a program that got hold of one would have the
// functions of the engine, and of the library, from it.
let takeFunction;
function functionOf(site) { return apply(takeFunction, site, []); }

function isMethod(text) {
  return !/^(async\s+)?function\b|^class\b|^(async\s*)?(\([^]*?\)|[\w$]+)\s*=>/.test(text);
}

// Whether V8 takes it for a function in strict mode, as far as its own text tells.
function isStrict({ isNative, isConstructor, fn, place }) {
  if (isNative || isConstructor || typeof fn !== 'function') return true;
  const text = apply(functionToString, fn, []);
  return /^[^{]*\{\s*(?:\/\/[^\n]*\s*)*(['"])use strict\1/.test(text) || (isMethod(text) && !!place?.classAt());
}

// V8's frames, the innermost first. From a function in strict mode on none tells its function.
function callSites(frames) {
  let isHidden = false;
  return frames.map((frame) => {
    isHidden ||= isStrict(frame);
    return new CallSite(isHidden ? { ...frame, fn: undefined } : frame);
  });
}

// What V8 says of a function of the language, as it is written in a stack.
function builtinOf(frame) {
  if (!frame.isNative || frame.isAsync || frame.whole === undefined) return undefined;
  const text = textOf(frame);
  const [, isConstructor, type, name] = /^(new )?(?:([\w$]+)\.)?(.+) \(/.exec(text) ?? [];
  return {
    type: type ?? null, name: name ?? null, method: type === undefined ? null : name, isConstructor: isConstructor !== undefined,
    isNative: text.endsWith('(native)'),
  };
}

// One frame of V8's.
class CallSite {
  #frame;
  #builtin;  // undefined: of the program
  constructor(frame) {
    this.#frame = frame;
    this.#builtin = builtinOf(frame);
  }
  getThis() { return undefined; }
  getTypeName() { return this.#builtin ? this.#builtin.type : this.#frame.type ?? null; }
  getFunction() { return this.#frame.fn; }
  getFunctionName() { return (this.#builtin ? this.#builtin.name : this.#frame.name) || null; }
  getMethodName() {
    if (this.#builtin) return this.#builtin.method;
    return this.#frame.type ? this.#frame.method || null : null;
  }
  getFileName() { return nameOf(this.#frame.file); }
  getLineNumber() { return this.#frame.line; }
  getColumnNumber() { return columnOf(this.#frame); }
  getEvalOrigin() { return undefined; }
  getScriptNameOrSourceURL() { return nameOf(this.#frame.file); }
  getPromiseIndex() { return this.#frame.index ?? null; }
  isToplevel() { return this.#builtin ? this.#builtin.type === null : this.#frame.type === undefined; }
  isEval() { return false; }
  isNative() { return this.#builtin?.isNative ?? this.#frame.isNative; }
  isConstructor() { return this.#builtin?.isConstructor ?? this.#frame.isConstructor; }
  isAsync() { return this.#frame.isAsync === true; }
  isPromiseAll() { return this.#frame.index !== undefined && this.#frame.whole === 'Promise.all'; }
  toString() { return textOf(this.#frame); }
}

// `call`: what is known of the call: { receiver, target }, and where QuickJS has no frame its function; or undefined.
function frameOf(site, callee, isOutermost, call) {
  const fn = call?.fn ?? functionOf(site);
  const frame = {
    fn, name: site.getFunctionName() || '', file: site.getFileName() ?? undefined, line: site.getLineNumber(),
    column: site.getColumnNumber(), isNative: site.isNative(), isConstructor: false, type: undefined, method: '',
    place: undefined, whole: undefined, isAsync: false, index: undefined,
  };
  if (frame.isNative || (typeof fn === 'function' && builtinNames.has(fn))) {
    frame.isNative = true;
    frame.file = undefined;
    frame.whole = (typeof fn === 'function' && builtinNames.get(fn)) || frame.name;
    return frame;
  }
  const place = locate(frame.file, frame.line, frame.column, callee);
  if (place) {
    frame.place = place;
    frame.line = place.line;
    frame.column = place.column;
    if (isWrapper(fn)) {
      frame.type = 'Object';
      return frame;
    }
  }
  if (frame.name === '' && place && typeof fn === 'function') frame.name = place.inferredName(apply(functionToString, fn, []));
  if (!atLeast(6)) frame.name = frame.name.replace(/^[gs]et /, '');
  if (call !== undefined) noteCall(frame, call);
  if (isOutermost && !frame.isConstructor) {
    const caller = callers[native.runningApi ? native.runningApi() : ''];
    if (caller) [frame.type, frame.method] = caller;
  }
  return frame;
}

// Whose method it is that was called, or what it has made.
function noteCall(frame, { receiver, target }) {
  frame.isConstructor = Object(target) === target;
  if (frame.isConstructor || receiver === undefined || receiver === null || receiver === globalThis) return;
  frame.type = typeNameOf(receiver);
  frame.method = methodNameOf(receiver, frame.fn, frame.name);
}

function columnOf({ file, line, column }) { return column === null ? column : column + wrapperAt(file, line).length; }

function holds(object, key, fn) {
  const { value, get, set } = getOwnPropertyDescriptor(object, key) ?? {};
  return value === fn || get === fn || set === fn;
}

// JSStackFrame::GetMethodName(): the key by which the receiver has the function; '': none, or several.
const kMostKeys = 1000;
function methodNameOf(receiver, fn, name) {
  if (typeof fn !== 'function') return '';
  let found = '';
  let keys = 0;
  const own = name.replace(/^[gs]et /, '');
  for (let at = Object(receiver); at !== null; at = getPrototypeOf(at)) {
    if (native.proxyDetails(at) !== undefined) return '';
    if (name !== '' && getOwnPropertyDescriptor(at, own) !== undefined) {
      if (holds(at, own, fn)) return own;
      break;
    }
  }
  for (let at = Object(receiver); at !== null; at = getPrototypeOf(at)) {
    if (native.proxyDetails(at) !== undefined || typedArrayOf(at) !== undefined) return '';
    for (const key of keysOf(at)) {
      if (++keys > kMostKeys) return '';
      if (/^\d+$/.test(key) || !holds(at, key, fn)) continue;
      if (found !== '') return '';
      found = key;
    }
  }
  return found;
}

const kIdentifier = /^[\p{ID_Start}$_][\p{ID_Continue}$_\u200c\u200d]*$/u;

function textOf(frame) {
  if (frame.own !== undefined) return frame.own;
  const isAsync = frame.isAsync ? 'async ' : '';
  if (frame.index !== undefined) return `async ${frame.whole} (index ${frame.index})`;
  if (frame.whole !== undefined) {
    const whole = (atLeast(24) && frame.fn !== undefined && statics.get(frame.fn)) || frame.whole;
    return `${whole} (${atLeast(8) ? '<anonymous>' : 'native'})`;
  }
  const place = `${nameOf(frame.file)}:${frame.line}:${columnOf(frame)}`;
  const { name, type, method } = frame;
  if (frame.isConstructor) return `${isAsync}new ${name || '<anonymous>'} (${place})`;
  if (type !== undefined) {
    if (!name) return `${isAsync}${type}.${method || '<anonymous>'} (${place})`;
    const isTyped = type !== '' && (atLeast(18) ? regExpTest(kIdentifier, name) : !name.startsWith(type));
    const isSame = method === '' || name === method || name.endsWith(`.${method}`) || (atLeast(22) && name.endsWith(` ${method}`));
    return `${isAsync}${isTyped ? `${type}.` : ''}${name}${isSame ? '' : ` [as ${method}]`} (${place})`;
  }
  return name ? `${isAsync}${name} (${place})` : isAsync + place;
}

// A function that stands for one of the language (internal/json.js).
function nameBuiltin(fn, name) { builtinNames.set(fn, name); }

// Whether its property `stack` is what V8 has made of it, or will.
function isStackOwn(error) {
  const getter = getOwnPropertyDescriptor(error, 'stack')?.get;
  return getter === undefined || getter === stackProperty.get;
}

function isBuiltin(fn) { return builtinNames.has(fn); }

// V8's name for the type of a receiver (JSStackFrame::GetTypeName(), JSReceiver::GetConstructorName()), without calling the program.
function typeNameOf(receiver) {
  const object = Object(receiver);
  if (native.proxyDetails(object) !== undefined) return 'Proxy';
  if (typeof object === 'function') {
    const isNamed = atLeast(24) || (atLeast(18) && apply(functionToString, object, []).startsWith('class'));
    const name = isNamed ? getOwnPropertyDescriptor(object, 'name')?.value : undefined;
    return typeof name === 'string' && name !== '' ? name : 'Function';
  }
  if (atLeast(8) && classOf(object) === 'Arguments') return 'Arguments';
  const name = dataOf(getPrototypeOf(object), 'constructor');
  const own = typeof name === 'function' ? getOwnPropertyDescriptor(name, 'name')?.value : undefined;
  if (typeof own === 'string' && own !== '' && own !== 'Object') return own;
  const tag = atLeast(8) ? dataOf(object, Symbol.toStringTag) : undefined;
  return typeof tag === 'string' ? tag : 'Object';
}

function dataOf(object, key) {
  for (let at = object; at !== null; at = getPrototypeOf(at)) {
    if (native.proxyDetails(at) !== undefined) return undefined;
    const found = getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return found.value;
  }
  return undefined;
}

// By the calls that native.calls() tells of: the one of a site; they are in the same order, and there are more of them.
function callsOf(told) {
  let at = 0;
  return (fn) => {
    for (let i = at; told !== undefined && i + 2 < told.length; i += 3) {
      if (told[i] !== fn) continue;
      at = i + 3;
      return { receiver: told[i + 1], target: told[i + 2] };
    }
    return undefined;
  };
}

// Functions of the language that V8 leaves out: they go on in what they call.
const kPassing = /^(?:Function\.(?:call|apply)|Reflect\.(?:apply|construct))$/;

// Those of the program, and the functions of the language between them. `entered`: the name of what was called of the
// library, or the class of what was made.
function framesOf(sites, entered, told) {
  let natives = [];
  const shown = [];
  let callee = entered;
  const callOf = callsOf(told);
  for (const site of sites) {
    const file = site.getFileName();
    const fn = functionOf(site);
    const call = callOf(fn);
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
    shown.push(...natives, [site, callee, call]);
    callee = site.getFunctionName();
    natives = [];
  }
  const frames = [];
  for (let i = 0; i < shown.length; i++) {
    const [site, called, call] = shown[i];
    const before = frames[frames.length - 1];
    const isOfGenerator = before !== undefined && before.isGenerator;
    const frame = frameOf(site, called, i === shown.length - 1 && natives.length === 0, call);
    // What goes on with a generator is a method of it.
    if (isOfGenerator) {
      const step = frame.isNative && /^(?:next|return|throw)$/.test(frame.whole) ? frame.whole : 'next';
      const isNamed = atLeast(8) && before.name !== '' && (step !== 'return' || atLeast(18));
      frames.push({ isNative: true, whole: isNamed ? `${before.name}.${step}` : step });
      if (frame.isNative && frame.whole === step) continue;
    }
    frame.isGenerator = !frame.isNative && typeof frame.fn === 'function' && getPrototypeOf(frame.fn) === generatorFunctions;
    frames.push(frame);
  }
  // V8's Proxy and what the methods of strings do with expressions have no frames.
  return frames.filter(({ whole = '' }, i) => {
    if (whole === 'new RegExp') return !/^String\./.test(frames[i + 1]?.whole ?? '');
    // A template is put together so.
    if (whole === 'String.concat' && !/^concat\b/.test(frames[i + 1]?.place?.rest ?? '')) return false;
    return !/^RegExp\.\[|^Proxy$/.test(whole);
  });
}

// Without the functions of the language that go on in what they call, and a class that was called without `new`.
function shownOf(frames) {
  return frames.filter(({ whole, fn, isNative, isConstructor }, i) => {
    if (i > 0) return whole === undefined || !kPassing.test(whole);
    return isNative || isConstructor || typeof fn !== 'function' || !apply(functionToString, fn, []).startsWith('class');
  });
}

// The async functions that wait for the end of the job that runs, since Node 12. `room`: for how many frames there is.
const kCombinators = ['Promise.all', 'Promise.allSettled', 'Promise.any'];
function asyncFrames(room) {
  const found = atLeast(12) && room > 0 ? native.waiting(room, atLeast(26)) : undefined;
  const frames = [];
  for (let i = 0; found !== undefined && i + 4 < found.length; i += 5) {
    const [fn, receiver, file, line, column] = found.slice(i, i + 5);
    if (fn === undefined) {
      if (receiver === 1 && !atLeast(18)) break;
      if (receiver === 2 && !atLeast(16)) break;
      frames.push({ isNative: true, isAsync: true, whole: kCombinators[receiver], index: file });
      continue;
    }
    if (String(file).startsWith('node:')) continue;
    const name = getOwnPropertyDescriptor(fn, 'name')?.value;
    const site = {
      getFunctionName: () => (typeof name === 'string' ? name : ''), getFileName: () => file,
      getLineNumber: () => line, getColumnNumber: () => column, isNative: () => false,
    };
    const frame = frameOf(site, undefined, false, { receiver, target: undefined, fn });
    frame.isAsync = true;
    const at = frame.place?.awaitPlace();
    if (at !== undefined) ({ line: frame.line, column: frame.column } = at);
    frames.push(frame);
  }
  return frames;
}

// ---- errors ----------------------------------------------------------------------------------------------------------------

// What tells an error of Node's own files: the first line of its stack has the code (prepareStackTraceCallback of lib/internal/errors.js).
let kIsNodeError;
function knowNodeErrors(symbol) { kIsNodeError = symbol; }

function headerOf(error) {
  try {
    if (kIsNodeError !== undefined && error[kIsNodeError]) return `${error.name} [${error.code}]: ${error.message}`;
    return apply(errorToString, error, []);
  } catch {
    return '<error>';
  }
}

// The frames of errors whose property `stack` nobody has read yet.
const unread = new WeakMap();
const { get: take, set: keep, delete: forget } = WeakMap.prototype;

function setStack(error, value) {
  const isOwn = Reflect.defineProperty(error, 'stack', { value, writable: true, enumerable: false, configurable: true });
  if (isOwn) apply(forget, unread, [error]);
}

// The first line of the stack of an error of Node's own, whose name tells its code while the stack is made.
const headers = new WeakMap();
function fixHeader(error, header) { apply(keep, headers, [error, header]); }

// The error whose stack this is: the object itself, one of its prototypes, or a proxy's target, which V8 up to that of Node 20 looked
// through.
function holderOf(object) {
  let at = object;
  while (Object(at) === at) {
    if (apply(take, unread, [at]) !== undefined) return at;
    const details = native.proxyDetails(at);
    if (details !== undefined && !(atLeast(8) && !atLeast(22))) return undefined;
    at = details !== undefined ? details[0] : getPrototypeOf(at);
  }
  return undefined;
}

// The stack is the first property of an error in V8, and what its constructor was given comes after it.
function defineFirst(error) {
  const given = [];
  for (const key of ['message', 'cause', 'errors', 'error', 'suppressed']) {
    const descriptor = getOwnPropertyDescriptor(error, key);
    if (descriptor === undefined || !Reflect.deleteProperty(error, key)) continue;
    if (key !== 'cause' || atLeast(16)) given.push([key, descriptor]);
  }
  Object.defineProperty(error, 'stack', stackProperty);
  for (const [key, descriptor] of given) Object.defineProperty(error, key, descriptor);
}

// Node's own, since 20.
function ErrorPrepareStackTrace(error, trace) {
  const header = apply(take, headers, [error]) ?? headerOf(error);
  return trace.length === 0 ? header : `${header}\n    at ${trace.join('\n    at ')}`;
}
function adapt() {
  if (!atLeast(12)) {
    for (const name of ['getPromiseIndex', 'isAsync', 'isPromiseAll']) delete CallSite.prototype[name];
  }
  if (!atLeast(20)) return;
  const value = ErrorPrepareStackTrace;
  defineProperty(TheError, 'prepareStackTrace', { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

// As V8 does: what is read first sees the name and the message that the error has then.
const stackProperty = {
  get() {
    const error = holderOf(this);
    const frames = error && apply(take, unread, [error]);
    if (frames === undefined) return undefined;
    let stack;
    const users = Object.getOwnPropertyDescriptor(TheError, 'prepareStackTrace')?.value;
    if (typeof users === 'function' && users !== ErrorPrepareStackTrace) {
      stack = apply(users, TheError, [error, callSites(frames)]);
    } else {
      stack = apply(take, headers, [error]) ?? headerOf(error);
      for (const frame of frames) stack += `\n    at ${textOf(frame)}`;
    }
    setStack(error, stack);
    return stack;
  },
  set(value) {
    if (getOwnPropertyDescriptor(this, 'stack')?.set === stackProperty.set) return setStack(this, value);
    // An heir. V8 had a property of its own kind there, which like one with a value is made for the heir, and none for it before Node 8.
    if (atLeast(22)) return setStack(holderOf(this) ?? this, value);
    if (atLeast(8)) Reflect.defineProperty(this, 'stack', { value, writable: true, enumerable: true, configurable: true });
    return undefined;
  },
  enumerable: false,
  configurable: true,
};

// ---- where errors are thrown -------------------------------------------------------------------------------------------

// By error: { sites, isThrown, frame }. `sites`: those where it was made, or from where it was thrown last (isThrown).
// `frame`: the innermost frame of the program where it was made.
const known = new WeakMap();

function isSameSite(a, b) {
  return a.getFileName() === b.getFileName() && a.getLineNumber() === b.getLineNumber() && a.getColumnNumber() === b.getColumnNumber();
}

// QuickJS tells of an error that was thrown before each time that it leaves a function; and of one that is thrown again.
function noteThrow(error, it, sites) {
  if (sites.length === 0) return;
  const outer = it.sites[it.sites.length - sites.length];
  const isOnItsWay = sites.length < it.sites.length && (it.isThrown || !it.isMade) && isSameSite(outer, sites[0]);
  if (isOnItsWay) return;
  it.sites = sites;
  it.isThrown = true;
}

// { file, line, column } of where it was thrown as V8 tells it, or made; undefined: nobody knows.
function placeOfThrow(error) {
  if (Object(error) !== error) {
    if (lastThrown === undefined || !Object.is(lastThrown.value, error)) return undefined;
    const { site } = lastThrown;
    return { file: site.getFileName(), line: site.getLineNumber(), column: site.getColumnNumber(), isThrown: true, made: undefined };
  }
  const it = apply(take, known, [error]);
  if (it === undefined) return undefined;
  const site = it.sites.find((one) => !one.isNative());
  if (site === undefined) return undefined;
  return { file: site.getFileName(), line: site.getLineNumber(), column: site.getColumnNumber(), isThrown: it.isThrown, made: it.frame };
}

// QuickJS calls prepare() when an exception is thrown if it has no text of the last one (error_back_trace): it has none after
// a catch, or when prepare() has returned none.
function forgetLast() {
  try { throw undefined; } catch { /* that is all */ }
}

let isCapturing = false;  // within captureStackTrace()
let capturedAbove;  // the function that it was given
let lastThrown;  // what is no object: { value, site }

// What cannot be read of a script or a module: its place is no frame, but stands before the message.
function noteSyntax(error, sites) {
  const [site] = sites;
  const hasPlace = site !== undefined && typeof functionOf(site) !== 'function' && !site.isNative();
  if (!hasPlace && site !== undefined) return false;
  const place = hasPlace ? [site.getFileName(), site.getLineNumber(), site.getColumnNumber()] : [];
  let at;
  try {
    at = syntaxAt(error.message, ...place);
  } catch { /* the program has changed what this takes */ }
  if (at === undefined) return false;
  const above = hasPlace ? sites.slice(1) : sites;
  defineProperty(error, 'message', { ...getOwnPropertyDescriptor(error, 'message'), value: at.words });
  const frames = framesOf(above, undefined);
  setStack(error, `${at.header}\n\nSyntaxError: ${[at.words, ...frames.map(textOf)].join('\n    at ')}`);
  apply(keep, known, [error, { sites: above, isThrown: true, isMade: false, frame: undefined }]);
  return true;
}

// What eval() and new Function() cannot read, where the program's text tells what they were given.
const kBeforeBody = 2;  // lines, in what QuickJS makes of a function's parameters and its body
function noteEvaluated(error, site, frames) {
  if (site === undefined || typeof functionOf(site) === 'function') return false;
  const isDirect = frames.length > 0 && !frames[0].isNative && /^eval\s*\(/.test(frames[0].place?.rest ?? '');
  if (!isDirect && !(frames[0]?.isNative && /^(?:eval|new Function|Function)$/.test(frames[0].whole))) return false;
  const isBody = !isDirect && frames[0].whole !== 'eval';
  const { place } = frames[isDirect ? 0 : 1] ?? {};
  const given = place?.args() ?? [];
  const value = given.length > 0 ? place.valueOf(given[given.length - 1]) : undefined;
  if (value?.kind !== 'string') return false;
  const source = isBody ? `${value.text}\n}` : value.text;
  const lines = source.split('\n');
  const line = site.getLineNumber() - (isBody ? kBeforeBody : 0);
  if (line < 1) return false;
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  let found;
  try {
    found = wordsOfSyntax(source, error.message, Math.min(source.length, before + site.getColumnNumber() - 1));
  } catch { /* the program has changed what this takes */ }
  if (found === undefined) return false;
  defineProperty(error, 'message', { ...getOwnPropertyDescriptor(error, 'message'), value: found.words });
  return true;
}

// Of an error that the language throws for a property; undefined: it is none.
function wordsAbout(error, told, frames) {
  const said = getOwnPropertyDescriptor(error, 'message')?.value;
  const place = frames[0]?.isNative ? frames[1]?.place : frames[0]?.place;
  if (typeof said !== 'string' || /^(?:new\s+)?[\w$.]*(?:Error|super)\s*\(/.test(place?.rest ?? '')) return undefined;
  const isGiven = told !== undefined && told[0] === null;
  const given = isGiven ? [told[1], told[2]] : [];
  return wordsOfSubject(said, isGiven ? undefined : told, frames[0]?.isNative ? frames[0].whole : '', place, given);
}

const kOfNode = 1;  // processTicksAndRejections() stands between them
const kBeside = 20;  // frames of the library's own around those that QuickJS tells of

// Whether all frames of the stack are among these.
function isOutside(sites) { return native.waiting !== undefined && sites.length < TheError.stackTraceLimit; }

function prepare(error, sites) {
  if (!isCapturing) {
    if (Object(error) !== error) {
      lastThrown = { value: error, site: sites[0] };
      return '';
    }
    const earlier = apply(take, known, [error]);
    if (earlier !== undefined) {
      noteThrow(error, earlier, sites);
      return '';
    }
    if (!TheError.isError(error)) {
      apply(keep, known, [error, { sites, isThrown: true, isMade: true, frame: undefined }]);
      return '';
    }
  }
  if (!isCapturing && error instanceof SyntaxError && noteSyntax(error, sites)) return '';
  // A class of errors is not in the stack of what it makes.
  let first = 0;
  for (let i = 0; i < sites.length && !sites[i].isNative(); i++) {
    const fn = functionOf(sites[i]);
    if (typeof fn !== 'function' || !fn.prototype || fn === TheError) continue;
    if (Object.prototype.isPrototypeOf.call(fn.prototype, error)) first = i + 1;
  }
  const isError = TheError.isError(error);
  const above = isCapturing && typeof capturedAbove === 'function' ? capturedAbove.name : undefined;
  const made = typeof error.constructor === 'function' ? `new ${error.constructor.name}` : undefined;
  const entered = above ?? (isError ? made : 'captureStackTrace');
  const told = native.calls?.(2 * sites.length + kBeside);
  const about = isCapturing ? undefined : native.subject?.();
  if (isError && error instanceof TypeError) translatePlain(error);
  const frames = framesOf(first > 0 ? sites.slice(first) : sites, entered, told);
  const inner = sites.find((site) => !site.isNative());
  const isOwn = inner && String(inner.getFileName()).startsWith('node:');
  const words = isError && error instanceof TypeError ? wordsAbout(error, about, frames) : undefined;
  if (words !== undefined) {
    defineProperty(error, 'message', { ...getOwnPropertyDescriptor(error, 'message'), value: words });
  } else if (error instanceof SyntaxError && !isCapturing && noteEvaluated(error, sites[0], frames)) {
    // It has its words.
  } else if (!inner || (frames.length > 0 && !isOwn)) {
    translate(error, frames);
  }
  // What Node's library makes while no function of the program runs has a stack as well, but for those that Node makes in C++.
  const isInCpp = isOwn && inner.getFileName() === 'node:internal/uv_errors';
  if (frames.length === 0 && isError && isOwn && !isInCpp) frames.push({ own: inner.getFileName() });
  const shown = shownOf(frames);
  if (isOutside(sites)) shown.push(...asyncFrames(TheError.stackTraceLimit - frames.length - kOfNode));
  apply(keep, unread, [error, shown]);
  const isMade = isCapturing || (isError && madeByProgram(frames[0], error));
  if (isError && !isMade && getPrototypeOf(error) === suppressedPrototype && getOwnPropertyDescriptor(error, 'message') === undefined) {
    const value = 'An error was suppressed during disposal';
    defineProperty(error, 'message', { __proto__: null, value, writable: true, configurable: true });
  }
  if (isError && !isCapturing) defineFirst(error);
  else Object.defineProperty(error, 'stack', stackProperty);
  if (!isError) return '';
  apply(keep, known, [error, { sites, isThrown: false, isMade, frame: frames.find((one) => !one.isNative) }]);
  if (!isMade) return '';
  forgetLast();
  return undefined;
}

// From now on every error is made so.
function install() {
  const { set } = Object.getOwnPropertyDescriptor(TheError, 'prepareStackTrace');
  let sites;
  apply(set, TheError, [(error, all) => { sites = all; return ''; }]);
  void new TheError().stack;
  const frames = getPrototypeOf(sites[0]);
  takeFunction = frames.getFunction;
  delete frames.getFunction;
  apply(set, TheError, [prepare]);
  delete TheError.prepareStackTrace;
  const capture = TheError.captureStackTrace;
  function captureStackTrace(object, above) {
    isCapturing = true;
    capturedAbove = above;
    try {
      apply(capture, TheError, [object, above === undefined ? captureStackTrace : above]);
    } finally {
      isCapturing = false;
      capturedAbove = undefined;
    }
    if (apply(take, unread, [object])) Object.defineProperty(object, 'stack', stackProperty);
  }
  Object.defineProperty(TheError, 'captureStackTrace', { value: captureStackTrace, writable: true, enumerable: false, configurable: true });
}

// Whether a call, of whatever makes errors, stands where it was made; else the language has thrown it there.
// What the language says where `new` stands.
const kOfNew = /^\S+ is not defined$| is not a constructor$|^Cannot read propert| is not (?:a function|(?:async )?iterable)/;
function madeByProgram(frame, error) {
  // What is disposed of makes one, too: QuickJS leaves the function out that does it.
  const isSuppressed = getPrototypeOf(error) === suppressedPrototype;
  const text = frame === undefined || frame.isNative ? undefined : lineOf(frame.file, frame.line);
  if (text === undefined) return !isSuppressed;
  const rest = text.slice(frame.column - 1);
  if (isSuppressed) return /^(?:new\s+(?:[\w$]+\.)*)?SuppressedError\s*\(/.test(rest);
  const made = /^new\s+(?:[\w$]+\.)*([\w$]+)/.exec(rest);
  if (made && kOfNew.test(error.message) && made[1] !== error.constructor?.name) return false;
  return /^(?:new\b|[\w$.]*Error\s*\(|super\s*\()/.test(rest);
}

module.exports = { adapt, fixHeader, knowNodeErrors, install, isBuiltin, isStackOwn, nameBuiltin, placeOfThrow };
