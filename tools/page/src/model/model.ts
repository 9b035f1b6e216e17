// One run, ready to be looked at from any event.
import { gatherCallbacks, type Callback, type Callbacks } from './callbacks';
import { workOutQueues } from './queues';
import { StateMachine, type State } from './state';
import type { Run, TraceEvent } from './types';

export class Model {
  readonly callbacks: Callbacks;
  readonly states: StateMachine;

  constructor(readonly run: Run) {
    this.callbacks = gatherCallbacks(run.events, run.header.threadpool);
    this.states = new StateMachine(run.events, this.callbacks, workOutQueues(run.events, this.callbacks, run.parts));
  }

  get size(): number {
    return this.run.events.length;
  }

  event(n: number): TraceEvent {
    const event = this.run.events[n - 1];
    if (!event) throw new RangeError(`no event ${n}`);
    return event;
  }

  at(n: number): State {
    return this.states.at(n);
  }

  callback(id: number): Callback | undefined {
    return this.callbacks.byId.get(id);
  }

  // The event at which the next callback begins after event n, or the one before; null: there is none.
  nextCallback(n: number): number | null {
    const list = this.callbacks.inOrder;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle]?.begin ?? 0) <= n) low = middle + 1;
      else high = middle;
    }
    return list[low]?.begin ?? null;
  }

  previousCallback(n: number): number | null {
    const list = this.callbacks.inOrder;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle]?.begin ?? 0) < n) low = middle + 1;
      else high = middle;
    }
    return list[low - 1]?.begin ?? null;
  }

  // Out of what runs: to the end of the innermost callback; when none runs, the next callback.
  stepOver(n: number): number | null {
    const running = this.at(n).stack;
    const innermost = running.length ? this.callback(running[running.length - 1] ?? 0) : undefined;
    return innermost?.end && innermost.end > n ? innermost.end : this.nextCallback(n);
  }

  // The callback that event n is about.
  focus(n: number): number {
    const event = this.event(n);
    if (event.id !== undefined && event.ev !== 'settle' && event.ev !== 'rejection' && event.ev !== 'rejection_handled' && event.ev !== 'poll') return event.id;
    const stack = this.at(n).stack;
    return stack[stack.length - 1] ?? 0;
  }

  // The last event that has happened by true time t.
  eventAt(t: number): number {
    const events = this.run.events;
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((events[middle]?.t ?? 0) <= t) low = middle + 1;
      else high = middle;
    }
    return Math.max(1, low);
  }

  // The first event at or after true time t; beyond the last: size + 1.
  firstAt(t: number): number {
    const events = this.run.events;
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((events[middle]?.t ?? 0) < t) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }
}
