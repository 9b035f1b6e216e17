// The object `performance`: its clock, marks and measures (High Resolution Time, User Timing standards).
'use strict';

const native = internalBinding;
const { EventTarget } = require('web/event_target');
const { describe, kKey } = require('web/webidl');
const { domError, illegalConstructor, isObject, needArgs, typeError } = require('web/words');

const entries = [];

let fieldsOf;
let isEntry;
class PerformanceEntry {
  #fields;
  static {
    fieldsOf = (entry) => entry.#fields;
    isEntry = (value) => isObject(value) && #fields in value;
  }
  static length = 0;
  constructor(key, fields) {
    if (key !== kKey) throw illegalConstructor('PerformanceEntry');
    this.#fields = fields;
  }
  get name() { return this.#fields.name; }
  get entryType() { return this.#fields.entryType; }
  get startTime() { return this.#fields.startTime; }
  get duration() { return this.#fields.duration; }
  toJSON() {
    const { name, entryType, startTime, duration } = this.#fields;
    return { name, entryType, startTime, duration };
  }
}
describe(PerformanceEntry, isEntry, {
  inspect() { return `${this.constructor.name} {name: '${this.name}', startTime: ${this.startTime}, duration: ${this.duration}}`; },
});
class PerformanceMark extends PerformanceEntry {
  constructor(name) {
    needArgs('PerformanceMark', undefined, arguments, 1);
    const { startTime, detail = null } = arguments[1] ?? {};
    const time = startTime === undefined ? native.now() : Number(startTime);
    if (time < 0) {
      throw typeError('Performance', 'mark', `'${name}' cannot have a negative start time.`, 'Expected startTime >= 0');
    }
    super(kKey, { name: `${name}`, entryType: 'mark', startTime: time, duration: 0, detail });
  }
  get detail() { return fieldsOf(this).detail; }
}
describe(PerformanceMark, isEntry);
class PerformanceMeasure extends PerformanceEntry {
  get detail() { return fieldsOf(this).detail; }
}
describe(PerformanceMeasure, isEntry);

const byTime = (list) => list.slice().sort((a, b) => a.startTime - b.startTime);

let isPerformance;
class Performance extends EventTarget {
  #is = true;
  static { isPerformance = (value) => isObject(value) && #is in value; }
  static length = 0;
  constructor(key) {
    if (key !== kKey) throw illegalConstructor('Performance');
    super();
  }
  now() { return native.now(); }
  get timeOrigin() { return native.wallTime(); }
  mark(name) {
    needArgs('Performance', 'mark', arguments, 1);
    const mark = new PerformanceMark(name, arguments[1]);
    entries.push(mark);
    return mark;
  }
  measure(name) {
    needArgs('Performance', 'measure', arguments, 1);
    const [, second, third] = arguments;
    const timeOf = (mark, fallback) => {
      if (mark === undefined) return fallback;
      if (typeof mark === 'number') return mark;
      const found = entries.findLast((entry) => entry.entryType === 'mark' && entry.name === `${mark}`);
      if (found) return found.startTime;
      throw domError('SyntaxError', 'Performance', 'measure', `The mark '${mark}' does not exist.`, `Given mark name, ${mark}, is unknown`);
    };
    const options = isObject(second) ? second : { start: second, end: third };
    const { duration, detail = null } = options;
    let end = timeOf(options.end, undefined);
    let start = timeOf(options.start, undefined);
    if (duration !== undefined && start !== undefined) end = start + duration;
    if (duration !== undefined && start === undefined && end !== undefined) start = end - duration;
    end ??= native.now();
    start ??= 0;
    const fields = { name: `${name}`, entryType: 'measure', startTime: start, duration: end - start, detail };
    const measure = new PerformanceMeasure(kKey, fields);
    entries.push(measure);
    return measure;
  }
  clearMarks(name = undefined) { clear('mark', name); }
  clearMeasures(name = undefined) { clear('measure', name); }
  getEntries() { return byTime(entries); }
  getEntriesByType(type) {
    needArgs('Performance', 'getEntriesByType', arguments, 1);
    return byTime(entries.filter((entry) => entry.entryType === `${type}`));
  }
  getEntriesByName(name, type = undefined) {
    needArgs('Performance', 'getEntriesByName', arguments, 1);
    return byTime(entries.filter((entry) => entry.name === `${name}` && (type === undefined || entry.entryType === `${type}`)));
  }
  toJSON() { return { timeOrigin: this.timeOrigin }; }
}
describe(Performance, isPerformance);

function clear(type, name) {
  for (let i = entries.length - 1; i >= 0; i--) {
    if (entries[i].entryType === type && (name === undefined || entries[i].name === `${name}`)) entries.splice(i, 1);
  }
}

module.exports = { Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, makePerformance: () => new Performance(kKey) };
