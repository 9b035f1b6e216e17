// The events that the page steps over. Those that tell only where something waits, or what a thread of the pool does, are no steps of
// their own: in them nothing of the program happens and the loop does nothing (is_about_queues in include/loopsim/trace.hpp).
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
  readonly events: Int32Array; // their numbers, ascending

  constructor(private readonly all: TraceEvent[]) {
    this.events = Int32Array.from(all.filter((event) => !isAboutQueues(event)).map((event) => event.seq));
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

  // Index of the last step at or before event n; -1: there is none.
  indexOf(n: number): number {
    return lastBefore(this.events, n + 1);
  }
  // `count` steps after event n, or the last one.
  after(n: number, count = 1): number {
    return this.events[Math.min(this.indexOf(n) + count, this.count - 1)] ?? this.first;
  }
  before(n: number): number {
    return this.events[lastBefore(this.events, n)] ?? this.first;
  }
  // The step at event n; with none there, the next one on the way to it from event `from`.
  towards(n: number, from: number): number {
    return n > from ? this.after(n - 1) : (this.events[this.indexOf(n)] ?? this.first);
  }

  // The last event that belongs to step n. What an event puts somewhere is told right behind it: a request stands at the pool, a reaction
  // among the microtasks. What leaves a queue or a thread after it belongs to what comes next.
  endOf(n: number): number {
    const step = this.all[n - 1];
    if (!step || isAboutQueues(step)) return n;
    let end = n;
    for (let next = this.all[end]; next && next.t === step.t && isPutting(next); next = this.all[end]) ++end;
    return end;
  }
}

function isPutting(event: TraceEvent): boolean {
  return event.ev === 'enqueue' || event.ev === 'work_begin' || (event.ev === 'cancel' && isAboutQueues(event));
}
