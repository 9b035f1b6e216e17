// The state of the process after event n, for any n, in bounded time: restores the last snapshot before n (there is one
// per `interval` events) and applies the events up to n.
import type { List } from './list';
import type { Pool, WorkLog } from './pool';
import { kQueues, Queues, type Queue, type Waiting } from './queues';
import { lastBefore } from './search';
import type { TraceEvent } from './types';

// Drain of the tick and microtask queues: not running, nothing taken yet, or the queue last taken from.
export type Draining = 'no' | 'begun' | 'ticks' | 'microtasks';

export interface State {
  n: number; // 1 ... events
  event: TraceEvent;
  queues: Record<Queue, Waiting[]>; // in order of arrival
  pool: Pool; // the requests of queues.pool
  stack: number[]; // running callbacks, outermost first
  draining: Draining;
  lines: number; // of the console
}

interface Snapshot {
  queues: Int32Array[];
  stack: Int32Array;
  draining: Draining;
}

class Working {
  n = 0;
  readonly queues = new Queues();
  stack: number[] = [];
  draining: Draining = 'no';
}

export class StateMachine {
  private readonly snapshots: Snapshot[] = [];
  private readonly interval: number;
  private readonly consoleEvents: number[] = [];
  private working = new Working();

  constructor(
    readonly events: List<TraceEvent>,
    private readonly work: WorkLog,
  ) {
    this.interval = Math.max(256, Math.ceil(events.length / 400));
    this.keep();
  }

  add(event: TraceEvent): void {
    if (event.ev === 'log' || event.ev === 'error_log' || event.gap?.lines) this.consoleEvents.push(event.seq);
    this.apply(event);
    if (event.seq % this.interval === 0) this.keep();
  }

  // The events that wrote to the console, and the gaps in which something was written.
  get consoleLines(): readonly number[] {
    return this.consoleEvents;
  }

  at(n: number): State {
    const target = Math.min(Math.max(1, n), this.events.length);
    if (this.working.n > target || target - this.working.n > this.interval)
      this.restore(Math.floor(target / this.interval));
    while (this.working.n < target) this.apply(this.eventAt(this.working.n + 1));
    return this.view(target);
  }

  private eventAt(n: number): TraceEvent {
    const event = this.events.at(n - 1);
    if (!event) throw new RangeError(`no event ${n}`);
    return event;
  }

  private apply(event: TraceEvent): void {
    const work = this.working;
    work.n = event.seq;
    const left = work.queues.apply(event);
    if (work.draining !== 'no' && (left === 'ticks' || left === 'microtasks')) work.draining = left;
    if (event.ev === 'drain_begin') work.draining = 'begun';
    if (event.ev === 'drain_end') work.draining = 'no';
    if (event.ev === 'callback_begin') work.stack.push(event.id ?? 0);
    if (event.ev === 'callback_end') {
      const at = work.stack.lastIndexOf(event.id ?? 0);
      if (at >= 0) work.stack.length = at;
    }
  }

  private keep(): void {
    const { queues, stack, draining } = this.working;
    this.snapshots.push({ queues: queues.keep(), stack: Int32Array.from(stack), draining });
  }

  private restore(index: number): void {
    const from = this.snapshots[index];
    if (!from) throw new RangeError(`no snapshot ${index}`);
    const work = new Working();
    work.n = index * this.interval;
    work.queues.restore(from.queues, this.events);
    work.stack = Array.from(from.stack);
    work.draining = from.draining;
    this.working = work;
  }

  private view(n: number): State {
    const { queues, stack, draining } = this.working;
    const waiting = Object.fromEntries(kQueues.map((queue) => [queue, queues.in(queue)])) as State['queues'];
    return {
      n,
      event: this.eventAt(n),
      queues: waiting,
      pool: this.work.poolAt(n, waiting.pool),
      stack: [...stack],
      draining,
      lines: lastBefore(this.consoleEvents, n + 1) + 1,
    };
  }
}
