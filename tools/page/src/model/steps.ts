// The events at which the page stops when stepping. Events that report only a queue or a thread of the pool are not
// steps: neither the program nor the loop does anything in them (is_about_queues in include/loopsim/trace.hpp).
import type { List } from './list';
import { lastBefore } from './search';
import type { TraceEvent } from './types';

export function isAboutQueues(event: TraceEvent): boolean {
  switch (event.ev) {
    case 'enqueue':
    case 'dequeue':
    case 'work_begin':
    case 'work_end':
      return true;
    case 'cancel':
      return event.why === 'settled';
    default:
      return false;
  }
}

export class Steps {
  events: Int32Array; // event numbers, ascending
  private added = 0;

  constructor(private readonly all: List<TraceEvent>) {
    this.events = new Int32Array(all.length);
  }

  add(event: TraceEvent): void {
    if (!isAboutQueues(event)) this.events[this.added++] = event.seq;
  }
  // All have been added.
  finish(): this {
    this.events = this.events.slice(0, this.added);
    return this;
  }

  get count(): number {
    return this.events.length;
  }
  get first(): number {
    return this.events[0] ?? 1;
  }
  get last(): number {
    return this.events[this.count - 1] ?? 1;
  }

  // Index of the last step at or before event n; -1: none.
  indexOf(n: number): number {
    return lastBefore(this.events, n + 1);
  }
  // The step `count` steps after event n, or the last one.
  after(n: number, count = 1): number {
    return this.events[Math.min(this.indexOf(n) + count, this.count - 1)] ?? this.first;
  }
  before(n: number): number {
    return this.events[lastBefore(this.events, n)] ?? this.first;
  }
  // The step at event n; if it is none, the nearest step beyond it in the direction from `from` to n.
  towards(n: number, from: number): number {
    return n > from ? this.after(n - 1) : (this.events[this.indexOf(n)] ?? this.first);
  }

  // The last event that belongs to step n. Entries that the step puts into queues are reported directly after it: a
  // request in the pool, a reaction in the microtask queue. What leaves a queue or a thread belongs to a later step.
  endOf(n: number): number {
    const step = n > 0 ? this.all.at(n - 1) : undefined;
    if (!step || isAboutQueues(step)) return n;
    let end = n;
    for (let next = this.all.at(end); next && next.t === step.t && isPutting(next); next = this.all.at(end)) ++end;
    return end;
  }
}

function isPutting(event: TraceEvent): boolean {
  return event.ev === 'enqueue' || event.ev === 'work_begin' || (event.ev === 'cancel' && isAboutQueues(event));
}
