// The first of the library's files: a function that makes what takes the others, and starts a process.
//
// Each file is a CommonJS module in the manner of Node's own: the body of a function of (exports, require, module,
// internalBinding). All are evaluated once, before any process: until start() fills `internalBinding` with the functions
// of bindings.cpp, and `internalBinding.facts` with what is known of the process, nothing of it may be called.
//
// A program sees those that are not in internal/. `builtins` below has what require() finds, also as node:NAME.
(function () {
'use strict';

const globals = Object.getOwnPropertyNames(globalThis);
const internalBinding = {};
const sources = new Map();
const loaded = new Map();

function requireInternal(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const source = sources.get(name);
  if (!source) throw new Error(`no file ${name} in the library`);
  Reflect.apply(source, undefined, [module.exports, requireInternal, module, internalBinding]);
  return module.exports;
}

const library = {
  define(name, source) { sources.set(name, source); },
  // All files are known: evaluates them.
  prepare() {
    for (const name of sources.keys()) requireInternal(name);
    const { start } = requireInternal('internal/start');
    requireInternal('internal/stack').install();  // from here on stacks are a program's
    const originals = requireInternal('internal/originals');
    Object.assign(library, originals.collect(globals));
    library.keep = (symbols) => originals.keep(library.keys, symbols);
    delete globalThis.__loopsim;
    Object.defineProperty(globalThis, '__loopsim_start', { value: start, configurable: true });
    // A browser's window is started in the same world instead (../web/start.js).
    const { start: startWindow } = requireInternal('web/start');
    Object.defineProperty(globalThis, '__loopsim_start_window', { value: startWindow, configurable: true });
  },
};
globalThis.__loopsim = library;
})
