// scheduler.postTask() and scheduler.yield(), TaskController and TaskSignal (Prioritized Task Scheduling standard).
'use strict';

const native = internalBinding;
const { TaskPriorityChangeEvent } = require('web/events');
const { defineHandler, dispatch, makeEvent } = require('web/event_target');
const { AbortController, AbortSignal, insidesOf, isController, isSignal, makeDependent, makers, readSignals } = require('web/abort');
const { describe, kKey } = require('web/webidl');
const {
  domError, illegalConstructor, isObject, needArgs, needDictionary, needEnum, needRange, typeError, wrongMember,
} = require('web/words');

const kPriorities = ['user-blocking', 'user-visible', 'background'];

let stateOf;  // of a TaskSignal: { priority, isChanging, source, dependents, tasks }
class TaskSignal extends AbortSignal {
  #state = { priority: 'user-visible', isChanging: false, dependents: [], tasks: new Set(), isFixed: false };
  static { stateOf = (value) => (isObject(value) && #state in value ? value.#state : undefined); }
  static length = 0;
  constructor(key) {
    if (key !== kKey) throw illegalConstructor('TaskSignal');
    super(kKey);
  }
  static any(signals) {
    needArgs('TaskSignal', 'any', arguments, 1);
    const list = readSignals('TaskSignal', signals);
    const { priority } = needDictionary('TaskSignal', 'any', arguments[1], 'TaskSignalAnyInit', 2);
    const signal = makeDependent(new TaskSignal(kKey), list);
    if (isSignal(priority) && stateOf(priority)) {
      stateOf(signal).priority = stateOf(priority).priority;
      stateOf(priority).dependents.push(signal);
    } else if (priority !== undefined) {
      stateOf(signal).priority = needEnum('TaskSignal', 'any', priority, 'TaskPriority', kPriorities, 'TaskSignalAnyInit', 'priority');
    }
    return signal;
  }
  get priority() { return this.#state.priority; }
}
const isTaskSignal = (value) => stateOf(value) !== undefined;
describe(TaskSignal, isTaskSignal);
defineHandler(TaskSignal.prototype, 'prioritychange', { isOne: isTaskSignal });

class TaskController extends AbortController {
  setPriority(priority) {
    needArgs('TaskController', 'setPriority', arguments, 1);
    changePriority(this.signal, needEnum('TaskController', 'setPriority', priority, 'TaskPriority', kPriorities));
  }
}
describe(TaskController, (value) => isController(value) && value instanceof TaskController);
const makeSignal = makers.signal;
makers.signal = (Class, args) => {
  if (Class !== TaskController && !(Class.prototype instanceof TaskController)) return makeSignal();
  const { priority = 'user-visible' } = needDictionary('TaskController', undefined, args[0], 'TaskControllerInit', 1);
  const signal = new TaskSignal(kKey);
  stateOf(signal).priority = needEnum('TaskController', undefined, priority, 'TaskPriority', kPriorities, 'TaskControllerInit', 'priority');
  return signal;
};

function changePriority(signal, priority) {
  const state = stateOf(signal);
  if (state.isChanging) {
    throw domError('NotAllowedError', 'TaskController', 'setPriority',
                   'Cannot change priority when a prioritychange event is in progress.', "Signal's priority changing is true");
  }
  if (state.priority === priority) return;
  state.isChanging = true;
  const previousPriority = state.priority;
  state.priority = priority;
  // Tasks that wait go to the queue of the new priority.
  for (const task of state.tasks) task.move();
  dispatch(signal, makeEvent(TaskPriorityChangeEvent, 'prioritychange', { previousPriority }));
  for (const one of state.dependents) changePriority(one, priority);
  state.isChanging = false;
}

// ---- tasks ---------------------------------------------------------------------------------------------------------------------------

// What the task that runs was posted with: { abortSource, prioritySource }; yield() takes it over.
let current = null;
const priorityOf = (source) => kPriorities.indexOf(typeof source === 'string' ? source : stateOf(source).priority);

// Queues a task that follows its signals. start(): runs it. It can be aborted until it has run: a callback that aborts its own task
// rejects the promise of postTask() (the standard's task complete steps).
function queue(api, source, delay, signal, reject, start, named) {
  let id;
  const begin = native.time();
  const state = typeof source === 'string' ? undefined : stateOf(source);
  const forget = () => { if (signal) insidesOf(signal).algorithms.delete(abort); };
  const post = (wait) => { id = native.queueTask(api, run, [], wait, priorityOf(source), named, state ? 1 : 0); };
  const run = () => {
    state?.tasks.delete(task);
    start();
    forget();
  };
  // Another priority: the task keeps its place in time.
  const task = { move() {
    if (native.setPriority) {
      native.setPriority(id, priorityOf(source));
      return;
    }
    native.cancelTask(id);
    post(Math.max(0, delay - (native.time() - begin)));
  } };
  const abort = () => {
    native.cancelTask(id);
    state?.tasks.delete(task);
    forget();
    reject(insidesOf(signal).reason);
  };
  if (signal) insidesOf(signal).algorithms.add(abort);
  state?.tasks.add(task);
  post(delay);
}

// Runs what belongs to a task: what it posts with yield() inherits its signals, also what follows in microtasks.
function runWith(state, run) {
  const before = current;
  current = state;
  try {
    run();
    native.checkpoint?.();
  } finally {
    current = before;
  }
}

let isScheduler;
class Scheduler {
  #is = true;
  static { isScheduler = (value) => isObject(value) && #is in value; }
  static length = 0;
  constructor(key) { if (key !== kKey) throw illegalConstructor('Scheduler'); }
  postTask(callback) {
    // An operation that returns a promise rejects it, whatever is wrong.
    return new Promise((resolve, reject) => {
      needArgs('Scheduler', 'postTask', arguments, 1);
      if (typeof callback !== 'function') {
        throw typeError('Scheduler', 'postTask', "parameter 1 is not of type 'Function'.",
                        `Argument 1 is not ${isObject(callback) ? 'callable' : 'an object'}.`);
      }
      const kOptions = 'SchedulerPostTaskOptions';
      const options = needDictionary('Scheduler', 'postTask', arguments[1], kOptions, 2);
      const delay = options.delay === undefined ? 0 : needRange('Scheduler', 'postTask', options.delay, kOptions, 'delay');
      const priority = options.priority === undefined ? undefined :
        needEnum('Scheduler', 'postTask', options.priority, 'TaskPriority', kPriorities, kOptions, 'priority');
      const { signal } = options;
      if (signal !== undefined && !isSignal(signal)) throw wrongMember('Scheduler', 'postTask', kOptions, 'signal', 'AbortSignal');
      if (signal && insidesOf(signal).aborted) throw insidesOf(signal).reason;
      const source = priority ?? (signal && stateOf(signal) ? signal : 'user-visible');
      const state = { abortSource: signal, prioritySource: source };
      queue('postTask', source, delay, signal, reject, () => runWith(state, () => {
        // Its microtasks have run when its promise is settled, also if it throws.
        let failure;
        const result = native.callListener('postTask', callback, undefined, [], (error) => { failure = { error }; });
        if (failure) reject(failure.error);
        else resolve(result);
      }), callback);
    });
  }
  yield() {
    return new Promise((resolve, reject) => {
      const signal = current?.abortSource;
      const source = current?.prioritySource ?? 'user-visible';
      if (signal && insidesOf(signal).aborted) throw insidesOf(signal).reason;
      const state = current;
      queue('yield', source, 0, signal, reject, () => runWith(state, () => resolve()));
    });
  }
}
describe(Scheduler, isScheduler);

module.exports = { Scheduler, TaskController, TaskSignal, makeScheduler: () => new Scheduler(kKey) };
