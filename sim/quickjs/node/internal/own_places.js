// Where in Node's own files errors are thrown that end a process, as its report names the place and the line
// (measured: the releases of the profiles). `emit`: an 'error' without listeners; `emitOther`: the same of what is no
// error; `emitText`: of what has no text; `reject`: an unhandled rejection of what is no
// error; `rejectLike`: of what has a stack; `assert`: an assertion;
// `load`: a module that is not there; `check`: an argument's type; `callback`: a callback that is no function, of a function
// of timers.js (`setInterval`, `setImmediate`: of that one), `nextTick`; `clearImmediate`, `clearTimeout`: of a primitive
// value; `listener`: a listener that is none; `run...`, `call...`: a callback that is no function, as Node 4 notices when it
// calls it; `caller`: thrown for the program's function that has called, which has no row.
'use strict';

const kEmit = "      throw er; // Unhandled 'error' event";
const kEmitNow = "    throw er; // Unhandled 'error' event";
const kEmitOther = "    throw err; // Unhandled 'error' event";
const kTextOld = `      var err = new Error('Uncaught, unspecified "error" event. (' + er + ')');`;
const kReject = '      new UnhandledPromiseRejection(reason);';
const kRejectLike = '    triggerUncaughtException(err, true /* fromPromise */);';
const kRejectOld = '            triggerUncaughtException(err, true /* fromPromise */);';
const kAssert = '  throw new AssertionError(obj);';
const kLoad = '  throw err;';
const kLoadOld = '    throw err;';
const kCallback = '    throw new ERR_INVALID_CALLBACK(callback);';
const kCallbackBare = '    throw new ERR_INVALID_CALLBACK();';
const kCallbackOld = "    throw new TypeError('\"callback\" argument must be a function');";
const kDrain = '    runMicrotasks();';
const kDestroyed = '  immediate._destroyed = true;';
const kUnset = '    timer[kOnTimeout] = timer._onTimeout = null;';
const kListener = "    throw new ERR_INVALID_ARG_TYPE('listener', 'Function', listener);";
const kListenerOld = "    throw new TypeError('\"listener\" argument must be a function');";
const kCheck = '      throw error;';

// By the major version: [file and line, text, the caret's column if it is not the first].
const places = {
  emit: {
    4: ['events.js:141', kEmit], 6: ['events.js:160', kEmit], 8: ['events.js:183', kEmit], 10: ['events.js:174', kEmit],
    11: ['events.js:170', kEmit], 12: ['events.js:291', kEmit], 14: ['events.js:377', kEmit], 16: ['node:events:491', kEmit],
    18: ['node:events:495', kEmit], 20: ['node:events:502', kEmit], 22: ['node:events:497', kEmit], 24: ['node:events:505', kEmitNow],
    26: ['node:events:505', kEmitNow],
  },
  emitOther: {
    4: ['events.js:146', '      throw err;'], 6: ['events.js:165', '      throw err;'], 8: ['events.js:188', '      throw err;'],
    10: ['events.js:189', kEmitOther], 11: ['events.js:184', kEmitOther], 12: ['events.js:305', kEmitOther],
    14: ['events.js:391', kEmitOther], 16: ['node:events:504', kEmitOther], 18: ['node:events:508', kEmitOther],
    20: ['node:events:515', kEmitOther], 22: ['node:events:510', kEmitOther], 24: ['node:events:505', kEmitNow],
    26: ['node:events:505', kEmitNow],
  },
  emitText: {
    4: ['events.js:144', kTextOld, 68], 6: ['events.js:163', kTextOld, 68],
    8: ['events.js:186', `      const err = new Error('Unhandled "error" event. (' + er + ')');`, 58],
  },
  reject: {
    16: ['node:internal/process/promises:279', kRejectOld], 18: ['node:internal/process/promises:288', kRejectOld],
    20: ['node:internal/process/promises:389', kReject], 22: ['node:internal/process/promises:392', kReject],
    24: ['node:internal/process/promises:392', kReject], 26: ['node:internal/process/promises:322', kReject],
  },
  rejectLike: {
    16: ['node:internal/process/promises:279', kRejectOld], 18: ['node:internal/process/promises:288', kRejectOld],
    20: ['node:internal/process/promises:391', kRejectLike], 22: ['node:internal/process/promises:394', kRejectLike],
    24: ['node:internal/process/promises:394', kRejectLike], 26: ['node:internal/process/promises:324', kRejectLike],
  },
  assert: {
    4: ['assert.js:81', '  throw new assert.AssertionError({'], 6: ['assert.js:84', '  throw new assert.AssertionError({'],
    8: ['assert.js:43', '  throw new errors.AssertionError(obj);'], 10: ['assert.js:84', kAssert], 11: ['assert.js:86', kAssert],
    12: ['assert.js:101', kAssert], 14: ['assert.js:118', kAssert], 16: ['node:assert:124', kAssert], 18: ['node:assert:125', kAssert],
    20: ['node:assert:90', kAssert], 22: ['node:assert:150', kAssert], 24: ['node:assert:152', kAssert],
    26: ['node:internal/assert/utils:146', '  throw error;'],
  },
  load: {
    4: ['module.js:327', kLoadOld], 6: ['module.js:478', kLoadOld], 8: ['module.js:550', kLoadOld],
    10: ['internal/modules/cjs/loader.js:638', kLoadOld], 11: ['internal/modules/cjs/loader.js:670', kLoadOld],
    12: ['internal/modules/cjs/loader.js:818', kLoad], 14: ['internal/modules/cjs/loader.js:934', kLoad],
    16: ['node:internal/modules/cjs/loader:1031', kLoad], 18: ['node:internal/modules/cjs/loader:1143', kLoad],
    20: ['node:internal/modules/cjs/loader:1210', kLoad], 22: ['node:internal/modules/cjs/loader:1433', kLoad],
    24: ['node:internal/modules/cjs/loader:1568', kLoad], 26: ['node:internal/modules/cjs/loader:1595', kLoad],
  },
  callback: {
    6: ['timers.js:348', kCallbackOld], 8: ['timers.js:450', kCallbackOld],
    10: ['timers.js:390', kCallbackBare], 11: ['timers.js:123', kCallbackBare],
    12: ['internal/validators.js:189', kCallback], 14: ['internal/validators.js:223', kCallback],
    16: ['node:internal/validators:372', kCallback],
  },
  setInterval: {
    6: ['timers.js:435', kCallbackOld], 8: ['timers.js:547', kCallbackOld], 10: ['timers.js:479', kCallbackBare],
    11: ['timers.js:169', kCallbackBare],
  },
  setImmediate: {
    6: ['timers.js:699', kCallbackOld], 8: ['timers.js:844', kCallbackOld], 10: ['timers.js:751', kCallbackBare],
    11: ['timers.js:256', kCallbackBare],
  },
  nextTick: {
    6: ['internal/process/next_tick.js:142', "      throw new TypeError('callback is not a function');"],
    8: ['internal/process/next_tick.js:248', "      throw new errors.TypeError('ERR_INVALID_CALLBACK');"],
    10: ['internal/process/next_tick.js:98', '      throw new ERR_INVALID_CALLBACK();'],
    11: ['internal/process/task_queues.js:116', kCallbackBare],
    12: ['internal/process/task_queues.js:107', kCallback],
  },
  listener: {
    4: ['events.js:197', "    throw new TypeError('listener must be a function');"],
    6: ['events.js:216', kListenerOld], 8: ['events.js:239', kListenerOld], 10: ['events.js:55', kListener.replace('new ', 'new errors.')],
    11: ['events.js:53', kListener], 12: ['events.js:110', kListener],
  },
  clearImmediate: {
    4: ['timers.js:490', '  immediate._onImmediate = undefined;', 26], 6: ['timers.js:745', '  immediate._onImmediate = null;', 26],
    8: ['timers.js:899', '    immediate._destroyed = true;', 26], 10: ['timers.js:789', kDestroyed, 24],
    11: ['timers.js:291', kDestroyed, 24], 12: ['timers.js:312', kDestroyed, 24],
  },
  clearTimeout: {
    4: ['timers.js:224', kUnset, 42], 6: ['timers.js:423', kUnset, 42], 8: ['timers.js:535', kUnset, 42],
  },
  microtask: {
    11: ['internal/process/task_queues.js:166', '        triggerFatalException(error);'],
    12: ['internal/process/task_queues.js:157', '      triggerUncaughtException(error, false /* fromPromise */);'],
    14: ['internal/process/task_queues.js:95', kDrain], 16: ['node:internal/process/task_queues:96', kDrain],
    18: ['node:internal/process/task_queues:95', kDrain], 20: ['node:internal/process/task_queues:95', kDrain],
    22: ['node:internal/process/task_queues:103', kDrain], 24: ['node:internal/process/task_queues:104', kDrain],
    26: ['node:internal/process/task_queues:104', kDrain],
  },
  runTick: { 4: ['node.js:489', '        callback();'] },
  runTimeout: { 4: ['timers.js:92', '        first._onTimeout();', 15] },
  runImmediate: { 4: ['timers.js:396', '      immediate._onImmediate();', 17] },
  callTimeout: { 4: ['timers.js:195', '      ontimeout = () => callback.call(timer, arguments[2]);', 34] },
  callImmediate: { 4: ['timers.js:448', '        callback.call(immediate, arg1);', 18] },
  check: {
    16: ['node:internal/validators:401', "    throw new ERR_INVALID_ARG_TYPE(name, 'Function', value);"],
    18: ['node:internal/validators:440', "    throw new ERR_INVALID_ARG_TYPE(name, 'Function', value);"],
    20: ['node:internal/errors:541', kCheck], 22: ['node:internal/errors:540', kCheck], 24: ['node:internal/errors:543', kCheck],
    26: ['node:internal/errors:547', kCheck],
  },
};

function ownPlace(kind, major) { return places[kind]?.[major]; }

const kinds = new WeakMap();  // by error: where Node throws it
const { get, set } = WeakMap.prototype;

// Returns the error.
function noteKind(error, kind) {
  Reflect.apply(set, kinds, [error, kind]);
  return error;
}
function kindOf(error) { return Reflect.apply(get, kinds, [error]); }

module.exports = { kindOf, noteKind, ownPlace };
