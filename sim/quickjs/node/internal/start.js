// The globals, and the start of a process.
'use strict';

const console = require('console');
const process = require('process');
require('internal/atomics').install();
require('internal/json').install();
require('internal/locale').install();
const arrayJoin = require('internal/array_join');
arrayJoin.install();
require('internal/from_async').install();
require('internal/function_text').install();
require('internal/webcrypto').install();
require('internal/weak_refs').install();
require('internal/async_disposable_stack').install();
const timers = require('timers');
const { Buffer, adapt: adaptBuffer, atob, btoa } = require('buffer');
const { URL, URLSearchParams } = require('url');
const { TextEncoder, TextDecoder } = require('internal/encoding');
const { performance } = require('perf_hooks');
const { makeError } = require('internal/errors');
const fatal = require('internal/fatal');
const children = require('internal/child_process');
const { builtins, restrictBuiltins, loadImport, resolveImport, runMain } = require('internal/modules');
const stdio = require('internal/stdio');
const members = require('internal/process_members');
const { atLeast, readVersion } = require('internal/version');
const { since } = require('internal/since');
const { lockSymbols } = require('internal/originals');
const { nameOf } = require('internal/source');
const { Timeout, Immediate, queueMicrotask } = require('internal/timers');
const { adapt } = require('internal/adapt');
const { resolvedAgain } = require('internal/multiple_resolves');
const { complete } = require('internal/words');
const { settleAsIs } = require('internal/settle_as_is');
const asyncIds = require('internal/async_ids');
const { keepPrimordials } = require('internal/builtins');

const { deleteProperty, ownKeys } = Reflect;

// What no global leads to, and the symbols that are keys.
const intrinsics = {
  __proto__: null, TypedArray: Object.getPrototypeOf(Int8Array), Iterator,
  AsyncIterator: { prototype: Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype)) },
};
const symbols = { __proto__: null };
for (const name of ownKeys(Symbol)) if (typeof Symbol[name] === 'symbol') symbols[`[Symbol.${name}]`] = Symbol[name];

// Takes away what this version of Node has not. `modules`: what require() finds.
function removeNames(major, modules) {
  const { prototype: iterators } = Iterator;
  for (const [name, first, end = Infinity, again = Infinity] of since) {
    if ((major >= first && major < end) || major >= again) continue;
    const colon = name.indexOf(':');
    if (colon >= 0) {
      const module = name.slice(0, colon);
      const member = name.slice(colon + 1);
      if (member === '') delete modules[module];
      else if (modules[module]) deleteProperty(modules[module], member);
      continue;
    }
    const path = name.split(/\.(?![^[]*\])/);
    const last = path.pop();
    let owner = globalThis;
    for (const step of path) owner = owner === globalThis && intrinsics[step] !== undefined ? intrinsics[step] : owner?.[step];
    if (owner !== undefined && owner !== null) deleteProperty(owner, symbols[last] ?? last);
  }
  if ('Iterator' in globalThis) return;
  // What all iterators inherit had no other members before there was the global.
  for (const key of ownKeys(iterators)) if (key !== Symbol.iterator) deleteProperty(iterators, key);
}

function define(target, name, value) {
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
}

for (const [name, value] of Object.entries({
  setTimeout: timers.setTimeout, setInterval: timers.setInterval, setImmediate: timers.setImmediate,
  clearTimeout: timers.clearTimeout, clearInterval: timers.clearInterval, clearImmediate: timers.clearImmediate,
  queueMicrotask, process, console, performance, global: globalThis,
  Buffer, atob, btoa, URL, URLSearchParams, TextEncoder, TextDecoder,
})) define(globalThis, name, value);

// Since 12 it is an accessor, as it is not made before it is used.
function defineBuffer() {
  if (!atLeast(12)) {
    Object.defineProperty(globalThis, 'Buffer', { value: Buffer, writable: true, enumerable: true, configurable: true });
    return;
  }
  let value = Buffer;
  const { get } = { get() { return value; } };
  const { set } = { set(other) { value = other; } };
  Object.defineProperty(globalThis, 'Buffer', { get, set, enumerable: false, configurable: true });
}

// `below`: the functions of bindings.cpp. Returns what the engine calls.
function start(below) {
  delete globalThis.__loopsim_start;
  delete globalThis.__loopsim_start_window;
  Object.assign(internalBinding, below);
  const facts = internalBinding.facts = internalBinding.processFacts();
  facts.major = parseInt(facts.release, 10);
  removeNames(facts.major, builtins);
  readVersion();
  restrictBuiltins();
  arrayJoin.adapt();
  adaptBuffer();
  defineBuffer();
  asyncIds.nameSymbols();
  members.install(process, facts);
  adapt();
  removeNames(facts.major, builtins);  // of what that has put there
  keepPrimordials();
  lockSymbols();
  stdio.define(process);
  children.start();
  return {
    timeout: Timeout.prototype,
    immediate: Immediate.prototype,
    process,
    makeError,
    emitProcess: members.emitOfNode,
    countProcess: members.countOfNode,
    failLoading: members.failLoading,
    reportFatal: fatal.reportFatal,
    reportUnsettled: fatal.reportUnsettled,
    unhandledRejection: fatal.unhandledRejection,
    warnOfRejection: fatal.warnOfRejection,
    warnOfLateHandler: fatal.warnOfLateHandler,
    runScript: runMain,
    resolveImport,
    loadImport,
    nameOf,
    complete,
    tellHook: asyncIds.tellHook,
    promiseHook: asyncIds.promiseHook,
    closesSyncIterators: atLeast(24),
    yieldStarAwaits: !atLeast(20),
    resolvedAgain: atLeast(10) && !atLeast(26) ? resolvedAgain : undefined,
    settleAsIs,
    rejectsImportersLast: atLeast(26),
    keepsStoresInFrames: asyncIds.keepsStoresInFrames(),
    contextOfPromise: atLeast(16) && !atLeast(24) ? asyncIds.contextOfPromise : undefined,
    microtasksFailOutside: atLeast(14),
  };
}

module.exports = { start };
