// What is loopsim's own where Node's files ask for one of theirs: by its name, what gives the exports.
'use strict';

const native = internalBinding;
const ids = require('internal/async_ids');
const { bindingOf } = require('internal/bindings/index');

const noop = () => {};

// lib/internal/async_hooks.js
const asyncHooks = {
  symbols: {
    get async_id_symbol() { return ids.asyncIdSymbol(); },
    get trigger_async_id_symbol() { return ids.triggerAsyncIdSymbol(); },
    get owner_symbol() { return bindingOf('symbols').owner_symbol; },
    get resource_symbol() { return bindingOf('symbols').resource_symbol; },
  },
  enabledHooksExist: () => ids.kNames.some((_, kind) => ids.hasHooks(kind)),
  initHooksExist: () => ids.hasHooks(ids.kInit),
  destroyHooksExist: () => ids.hasHooks(ids.kDestroy),
  executionAsyncId: () => native.executionId(),
  triggerAsyncId: () => native.triggerId(),
  newAsyncId: () => native.newAsyncId(),
  getDefaultTriggerAsyncId: ids.newTrigger,
  getOrSetAsyncId(object) { return object[ids.asyncIdSymbol()] ??= native.newAsyncId(); },
  defaultTriggerAsyncIdScope(id, block, ...args) { return Reflect.apply(block, null, args); },
  emitInitScript: (id, type, trigger, resource) => ids.tell(ids.kInit, id, type, trigger ?? ids.newTrigger(), resource),
  emitBeforeScript: noop, emitAfterScript: noop,
  emitDestroyScript: (id) => native.queueDestroy(id),
  hasAsyncIdStack: () => false, clearAsyncIdStack: noop,
};

// lib/internal/async_context_frame.js: a map of the stores; undefined: there is none.
const AsyncContextFrame = {
  enabled: true,
  current() {
    const frame = native.asyncContext();
    return frame?.size > 0 ? frame : undefined;
  },
  set(frame) { native.asyncContext(frame); },
  exchange(frame) {
    const prior = native.asyncContext();
    native.asyncContext(frame);
    return prior;
  },
  disable: noop,
};

// lib/internal/process/task_queues.js, and lib/internal/process/next_tick.js before.
const taskQueues = {
  nextTick: (callback, ...args) => native.nextTick(callback, ...args),
  get queueMicrotask() { return require('internal/timers').queueMicrotask; },
  runNextTicks: noop,
};

// lib/internal/bootstrap/realm.js
const realm = {
  BuiltinModule: {
    exists: (name) => name.startsWith('internal/') || own.has(name),
    canBeRequiredByUsers: (name) => own.has(name),
    canBeRequiredByUsersWithoutScheme: (name) => own.has(name),
  },
  internalBinding: bindingOf,
};

// lib/internal/encoding.js
let utf8Decoder;
const encoding = {
  get TextDecoder() { return require('internal/encoding').TextDecoder; },
  get TextEncoder() { return require('internal/encoding').TextEncoder; },
  getUtf8Decoder: () => (utf8Decoder ??= new (require('internal/encoding').TextDecoder)()),
};

// A Buffer over what it is given (lib/internal/buffer.js).
function FastBuffer(...args) { return Object.setPrototypeOf(new Uint8Array(...args), require('buffer').Buffer.prototype); }

const own = new Map(Object.entries({
  async_hooks: () => require('async_hooks'),
  buffer: () => require('buffer'),
  events: () => require('events'),
  fs: () => require('fs'),
  os: () => require('os'),
  path: () => require('path'),
  perf_hooks: () => require('perf_hooks'),
  process: () => native.process,
  string_decoder: () => require('string_decoder'),
  timers: () => require('timers'),
  'timers/promises': () => require('timers/promises'),
  url: () => require('url'),
  util: () => require('util'),
  // For structuredClone() of Node 16's web streams.
  v8: () => ({ serialize: (value) => value, deserialize: (value) => globalThis.structuredClone(value) }),
  // For regular expressions whose matches no program sees.
  vm: () => ({ runInNewContext: () => ({ RegExp }) }),
  'internal/abort_controller': () => ({ ...require('internal/abort_controller'), aborted: require('util').aborted }),
  'internal/async_context_frame': () => AsyncContextFrame,
  'internal/async_hooks': () => asyncHooks,
  'internal/bootstrap/loaders': () => realm,
  'internal/bootstrap/realm': () => realm,
  'internal/buffer': () => ({ FastBuffer }),
  'internal/encoding': () => encoding,
  'internal/event_target': () => require('internal/event_target'),
  'internal/events/abort_listener': () => ({ addAbortListener: require('events').addAbortListener }),
  'internal/process/next_tick': () => taskQueues,
  'internal/process/task_queues': () => taskQueues,
  'internal/structured_clone': () => ({ structuredClone: globalThis.structuredClone }),
  'internal/url': () => ({ ...require('url'), isURL: (value) => value instanceof require('url').URL }),
  'internal/worker/io': () => ({ MessageChannel: globalThis.MessageChannel, MessagePort: globalThis.MessagePort }),
  zlib: () => require('zlib'),
}));

// What Node does with a file at its start (lib/internal/process/pre_execution.js, and node.cc before).
const whenLoaded = {
  'internal/errors'({ kIsNodeError }) { require('internal/stack').knowNodeErrors(kIsNodeError); },
  'internal/util/debuglog'({ initializeDebugEnv }) { initializeDebugEnv?.(native.process.env.NODE_DEBUG); },
};

module.exports = { own, whenLoaded };
