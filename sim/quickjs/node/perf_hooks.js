// perf_hooks (lib/perf_hooks.js, lib/internal/perf).
'use strict';

const native = internalBinding;
const { DOMException } = require('internal/dom_exception');
const { makeNodeError } = require('internal/errors');
const { EventTarget, inspectAs, makeEnumerable, missingArgs, tag } = require('internal/event_target');
const { Histogram, RecordableHistogram, createHistogram, kIllegal } = require('internal/histogram');
const { perf } = require('internal/performance_entries');
const { copyWith } = require('internal/structured_clone');
const { atLeast, removeAbsent } = require('internal/version');
const {
  invalidArgType, invalidArgValue, validateCallback, validateFunction, validateInteger, validateNumber, validateObject, validateString,
} = require('internal/validate');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kNodeTimes = ['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete'];
const kEntryTypes = ['dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure', 'net', 'resource'];

function now() { return native.hrtime() / 1e6; }

// ---- entries --------------------------------------------------------------------------------------------------------

const marks = new Map();  // the times of the last ones, by name
let buffered = [];        // marks and measures

let detailOf;  // an entry's

class PerformanceEntry {
  #name;
  #type;
  #start;
  #duration;
  #detail;
  constructor(check, name, type, start, duration, detail) {
    if (check !== kIllegal) throw makeNodeError(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    this.#name = name;
    this.#type = type;
    this.#start = start;
    this.#duration = duration;
    this.#detail = detail;
  }
  get name() { return this.#name; }
  get entryType() { return this.#type; }
  get startTime() { return this.#start; }
  get duration() { return this.#duration; }
  static { detailOf = (entry) => entry.#detail; }
  toJSON() {
    const fields = { name: this.#name, entryType: this.#type, startTime: this.#start, duration: this.#duration };
    if (this.#detail !== undefined) fields.detail = this.#detail;
    return fields;
  }
  [kInspect](depth, options) { return depth < 0 ? this : inspectAs(this.constructor.name, this.toJSON(), depth, options); }
}
makeEnumerable(PerformanceEntry.prototype, ['name', 'entryType', 'startTime', 'duration', 'toJSON']);
tag(PerformanceEntry.prototype, 'PerformanceEntry');

function invalidTime(time) {
  return makeNodeError(TypeError, 'ERR_PERFORMANCE_INVALID_TIMESTAMP', `${time} is not a valid timestamp`);
}

function cloned(detail) { return detail != null ? copyWith(detail).copy : null; }

class PerformanceMark extends PerformanceEntry {
  constructor(name, options = undefined) {
    if (arguments.length === 0) throw missingArgs('name');
    name = `${name}`;
    if (kNodeTimes.includes(name)) throw invalidArgValue('name', name);
    if (options != null) validateObject(options, 'options');
    const start = options?.startTime ?? now();
    validateNumber(start, 'startTime');
    if (start < 0) throw invalidTime(start);
    marks.set(name, start);
    super(kIllegal, name, 'mark', start, 0, cloned(options?.detail));
  }
  get detail() { return detailOf(this); }
}
tag(PerformanceMark.prototype, 'PerformanceMark');
makeEnumerable(PerformanceMark.prototype, ['detail']);

class PerformanceMeasure extends PerformanceEntry {
  get detail() { return detailOf(this); }
}
tag(PerformanceMeasure.prototype, 'PerformanceMeasure');
makeEnumerable(PerformanceMeasure.prototype, ['detail']);

class PerformanceNodeEntry extends PerformanceEntry {
  get detail() { return detailOf(this); }
}

function timeOf(mark) {
  if (mark === undefined) return undefined;
  if (typeof mark === 'number') {
    if (mark < 0) throw invalidTime(mark);
    return mark;
  }
  const name = `${mark}`;
  if (kNodeTimes.includes(name)) return performance.nodeTiming[name];
  if (!marks.has(name)) throw new DOMException(`The "${name}" performance mark has not been set`, 'SyntaxError');
  return marks.get(name);
}

function badOptions(text) { return makeNodeError(TypeError, 'ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS', text); }

// [start, duration] of a measure.
function measured(from, endMark) {
  const options = typeof from === 'object' && from !== null ? from : {};
  let { start, end } = options;
  const { duration } = options;
  const hasTimes = start !== undefined || end !== undefined;
  if (hasTimes) {
    if (endMark !== undefined) throw badOptions('endMark must not be specified');
    if (start !== undefined && end !== undefined && duration !== undefined) {
      throw badOptions('Must not have options.start, options.end, and options.duration specified');
    }
  }
  if (endMark !== undefined) end = timeOf(endMark);
  else if (hasTimes && end !== undefined) end = timeOf(end);
  else if (hasTimes && start !== undefined && duration !== undefined) end = timeOf(start) + timeOf(duration);
  else end = now();
  if (typeof from === 'string') start = timeOf(from);
  else if (hasTimes && start !== undefined) start = timeOf(start);
  else if (hasTimes && duration !== undefined) start = end - timeOf(duration);
  else start = 0;
  return [start, end - start];
}

function keep(entry) {
  tell(entry);
  buffered.push(entry);
  return entry;
}

function entriesOf(list, name, type) {
  return list.filter((entry) => (name === undefined || entry.name === name) && (type === undefined || entry.entryType === type))
    .sort((a, b) => a.startTime - b.startTime);
}

// ---- observers ------------------------------------------------------------------------------------------------------

const observers = new Set();
const pending = new Set();
let isPending = false;
let note, observes, dispatch;  // what an observer does, which no program sees

function tell(entry) { for (const observer of observers) note(observer, entry); }

perf.isObserved = (type) => [...observers].some((observer) => observes(observer, type));
perf.tell = (...entry) => tell(new PerformanceNodeEntry(kIllegal, ...entry));

// Observers are told from an immediate.
function queuePending() {
  if (isPending) return;
  isPending = true;
  native.setImmediate(function () {
    isPending = false;
    const told = [...pending];
    pending.clear();
    for (const observer of told) dispatch(observer);
  });
}

class PerformanceObserverEntryList {
  #entries;
  constructor(check, entries) {
    if (check !== kIllegal) throw makeNodeError(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    this.#entries = entriesOf(entries);
  }
  getEntries() { return this.#entries.slice(); }
  getEntriesByType(type) {
    if (arguments.length === 0) throw missingArgs('type');
    return entriesOf(this.#entries, undefined, `${type}`);
  }
  getEntriesByName(name, type = undefined) {
    if (arguments.length === 0) throw missingArgs('name');
    return entriesOf(this.#entries, `${name}`, type ?? undefined);
  }
}
tag(PerformanceObserverEntryList.prototype, 'PerformanceObserverEntryList');

class PerformanceObserver {
  #callback;
  #entries = [];
  #types = new Set();
  #isSingle;

  constructor(callback) {
    validateCallback(callback);
    this.#callback = callback;
  }

  observe(options = {}) {
    validateObject(options, 'options');
    const { entryTypes, type, buffered: wantsBuffered } = options;
    if (entryTypes === undefined && type === undefined) throw missingArgs('options.entryTypes', 'options.type');
    if (entryTypes != null && type != null) {
      throw invalidArgValue('options.entryTypes', entryTypes, 'options.entryTypes can not set with options.type together');
    }
    const isSingle = type !== undefined;
    if (this.#isSingle !== undefined && this.#isSingle !== isSingle) {
      throw new DOMException(`PerformanceObserver can not change to ${isSingle ? 'single observation' : 'multiple observations'}`,
                             'InvalidModificationError');
    }
    this.#isSingle = isSingle;
    if (isSingle) {
      if (!kEntryTypes.includes(type)) return;
      this.#types.add(type);
      if (wantsBuffered) {
        this.#entries.push(...entriesOf(buffered, undefined, type));
        pending.add(this);
        queuePending();
      }
    } else {
      if (!Array.isArray(entryTypes)) throw invalidArgType('options.entryTypes', 'string[]', entryTypes);
      this.#types = new Set(entryTypes.filter((each) => kEntryTypes.includes(each)));
    }
    if (this.#types.size) observers.add(this);
    else this.disconnect();
  }

  disconnect() {
    observers.delete(this);
    pending.delete(this);
    this.#entries = [];
    this.#types.clear();
    this.#isSingle = undefined;
  }

  takeRecords() { return this.#entries.splice(0); }
  static get supportedEntryTypes() { return kEntryTypes; }

  static {
    observes = (observer, type) => observer.#types.has(type);
    note = (observer, entry) => {
      if (!observer.#types.has(entry.entryType)) return;
      observer.#entries.push(entry);
      pending.add(observer);
      queuePending();
    };
    dispatch = (observer) => {
      observer.#callback(new PerformanceObserverEntryList(kIllegal, observer.#entries.splice(0)), observer);
    };
  }
}
tag(PerformanceObserver.prototype, 'PerformanceObserver');
makeEnumerable(PerformanceObserver.prototype, ['observe', 'disconnect', 'takeRecords']);

// ---- the loop -------------------------------------------------------------------------------------------------------

// No time at all has been used: in a real process it takes some to ask.
function utilizationOf(idle, active) { return idle + active === 0 ? 1 : active / (idle + active); }

function eventLoopUtilization(first, second) {
  const [time, idleTime, loopStart] = native.loopTimes();
  if (loopStart < 0) return { idle: 0, active: 0, utilization: 0 };
  if (second) {
    const idle = first.idle - second.idle;
    const active = first.active - second.active;
    return { idle, active, utilization: first === second ? NaN : utilizationOf(idle, active) };
  }
  const idle = idleTime / 1e6;
  const active = (time - loopStart) / 1e6 - idle;
  if (!first) return { idle, active, utilization: utilizationOf(idle, active) };
  const idleDelta = idle - first.idle;
  const activeDelta = active - first.active;
  return { idle: idleDelta, active: activeDelta, utilization: utilizationOf(idleDelta, activeDelta) };
}

class ELDHistogram extends Histogram {
  #monitor;
  #isEnabled = false;
  constructor(check, resolution) {
    super(check);
    this.#monitor = native.makeMonitor(resolution);
  }
  _read() {
    if (this.#monitor === undefined) return;
    for (const delay of native.readMonitor(this.#monitor)) this._add(delay);
  }
  enable() {
    if (this.#isEnabled) return false;
    this.#isEnabled = true;
    native.switchMonitor(this.#monitor, true);
    return true;
  }
  disable() {
    if (!this.#isEnabled) return false;
    this.#isEnabled = false;
    native.switchMonitor(this.#monitor, false);
    return true;
  }
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  return new ELDHistogram(kIllegal, resolution);
}

function timerify(fn, options = {}) {
  validateFunction(fn, 'fn');
  validateObject(options, 'options');
  const { histogram } = options;
  if (histogram !== undefined && !(histogram instanceof RecordableHistogram)) {
    throw invalidArgType('options.histogram', 'RecordableHistogram', histogram);
  }
  const complete = (start, args) => {
    const duration = now() - start;
    if (histogram !== undefined) histogram.record(Math.max(1, Math.ceil(duration * 1e6)));
    const entry = new PerformanceNodeEntry(kIllegal, fn.name, 'function', start, duration, args);
    args.forEach((argument, i) => { entry[i] = argument; });
    tell(entry);
  };
  function timerified(...args) {
    const start = now();
    const result = new.target !== undefined ? Reflect.construct(fn, args, fn) : Reflect.apply(fn, this, args);
    if (new.target === undefined && typeof result?.finally === 'function') return result.finally(() => complete(start, args));
    complete(start, args);
    return result;
  }
  Object.defineProperties(timerified, {
    length: { __proto__: null, configurable: false, enumerable: true, value: fn.length },
    name: { __proto__: null, configurable: false, enumerable: true, value: `timerified ${fn.name}` },
  });
  return timerified;
}

const nodeTiming = {
  name: 'node', entryType: 'node', startTime: 0, get duration() { return now(); },
  nodeStart: 0, v8Start: 0, bootstrapComplete: 0, environment: 0,
  get loopStart() {
    const start = native.loopTimes()[2];
    return start < 0 ? -1 : start / 1e6;
  },
  loopExit: -1,
  get idleTime() { return native.loopTimes()[1] / 1e6; },
};

class Performance extends EventTarget {
  constructor() {
    super();
    throw makeNodeError(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
  }
  now() { return now(); }
  get timeOrigin() { return native.loopTimes()[3]; }

  mark(name, options = {}) {
    if (arguments.length === 0 && atLeast(20)) throw missingArgs('name');
    const entry = new PerformanceMark(name, options);
    keep(entry);
    return atLeast(16) ? entry : undefined;
  }
  measure(name, startOrOptions = {}, endMark = undefined) {
    if (arguments.length === 0) throw missingArgs('name');
    validateString(name, 'name');
    const [start, duration] = measured(startOrOptions, endMark);
    const entry = keep(new PerformanceMeasure(kIllegal, name, 'measure', start, duration, cloned(startOrOptions?.detail)));
    return atLeast(16) ? entry : undefined;
  }
  clearMarks(name = undefined) {
    if (name !== undefined) name = `${name}`;
    if (kNodeTimes.includes(name)) throw invalidArgValue('name', name);
    if (name === undefined) marks.clear();
    else marks.delete(name);
    buffered = buffered.filter((entry) => entry.entryType !== 'mark' || (name !== undefined && entry.name !== name));
  }
  clearMeasures(name = undefined) {
    if (name !== undefined) name = `${name}`;
    buffered = buffered.filter((entry) => entry.entryType !== 'measure' || (name !== undefined && entry.name !== name));
  }
  clearResourceTimings() {}
  setResourceTimingBufferSize() {}
  getEntries() { return entriesOf(buffered); }
  getEntriesByName(name, type = undefined) {
    if (arguments.length === 0) throw missingArgs('name');
    return entriesOf(buffered, `${name}`, type === undefined ? undefined : `${type}`);
  }
  getEntriesByType(type) {
    if (arguments.length === 0) throw missingArgs('type');
    return entriesOf(buffered, undefined, `${type}`);
  }
  toJSON() { return { nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin, eventLoopUtilization: eventLoopUtilization() }; }
  [kInspect](depth, options) {
    return inspectAs('Performance', { nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin }, depth, options);
  }
}
makeEnumerable(Performance.prototype, [
  'clearMarks', 'clearMeasures', 'clearResourceTimings', 'getEntries', 'getEntriesByName', 'getEntriesByType', 'mark', 'measure',
  'now', 'timeOrigin', 'toJSON', 'setResourceTimingBufferSize',
]);
tag(Performance.prototype, 'Performance');
for (const [name, value] of Object.entries({ eventLoopUtilization, nodeTiming, timerify })) {
  Object.defineProperty(Performance.prototype, name, { __proto__: null, value, writable: true, configurable: true });
}

const performance = new EventTarget();
Object.setPrototypeOf(performance, Performance.prototype);

module.exports = {
  Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceObserver, PerformanceObserverEntryList,
  monitorEventLoopDelay, eventLoopUtilization, timerify, createHistogram, performance, constants: {},
};

// What the version has not.
function restrict() {
  removeAbsent([
    [module.exports, 'Performance', '18'],
    [module.exports, 'PerformanceEntry', '16'],
    [module.exports, 'PerformanceMark', '16'],
    [module.exports, 'PerformanceMeasure', '16'],
    [module.exports, 'PerformanceObserverEntryList', '16'],
    [module.exports, 'monitorEventLoopDelay', '11.10'],
    [module.exports, 'createHistogram', '15.9 14.18'],
    [module.exports, 'eventLoopUtilization', '24.12'],
    [module.exports, 'timerify', '24.12'],
    [Performance.prototype, 'eventLoopUtilization', '14.10 12.19'],
    [Performance.prototype, 'getEntries', '16.7'],
    [Performance.prototype, 'getEntriesByName', '16.7'],
    [Performance.prototype, 'getEntriesByType', '16.7'],
    [Performance.prototype, 'clearMeasures', '16.7'],
    [Performance.prototype, 'toJSON', '16.1'],
  ]);
}
Object.defineProperty(module.exports, 'restrict', { __proto__: null, value: restrict, configurable: true });
