// The state of the process after event n, for any n, in bounded time: snapshots are kept every so many events, and from the nearest
// one the moves up to n are made.
import type { Callbacks, PoolRequest } from './callbacks';
import type { Handle } from './handles';
import { kQueues, lastBefore, type Queue, type QueueTimes } from './queues';
import type { TraceEvent } from './types';

export interface State {
  n: number; // 1 ... events
  event: TraceEvent;
  queues: Record<Exclude<Queue, 'none'>, number[]>; // ids of callbacks and of entries, in the order in which they came
  handles: Handle[];
  stack: number[]; // running callbacks, outermost first
  isDraining: boolean;
  pool: { running: PoolRequest[]; waiting: PoolRequest[]; done: PoolRequest[] };
  lines: number; // of the console
}

interface Snapshot {
  moves: number; // made so far
  queues: Int32Array[]; // by number
  stack: Int32Array;
}

const kCount = kQueues.length;

class Working {
  n = 0;
  moves = 0;
  readonly queues: Set<number>[] = Array.from({ length: kCount }, () => new Set<number>());
  readonly where = new Map<number, number>();
  stack: number[] = [];
}

export class StateMachine {
  private readonly snapshots: Snapshot[] = [];
  private readonly interval: number;
  private readonly consoleEvents: number[] = [];
  private readonly drainBegins: number[] = [];
  private readonly byCallback = new Map<number, PoolRequest[]>();
  private working = new Working();

  constructor(
    readonly events: TraceEvent[],
    readonly callbacks: Callbacks,
    private readonly times: QueueTimes,
    private readonly handles: Handle[],
  ) {
    this.interval = Math.max(256, Math.ceil(events.length / 400));
    for (const event of events) if (event.ev === 'log' || event.ev === 'error_log') this.consoleEvents.push(event.seq);
    for (const drain of callbacks.drains.slice(1)) this.drainBegins.push(drain.begin);
    for (const request of callbacks.requests) {
      const list = this.byCallback.get(request.id);
      if (list) list.push(request);
      else this.byCallback.set(request.id, [request]);
    }
    this.keep();
    for (let n = 1; n <= events.length; ++n) {
      this.apply(n);
      if (n % this.interval === 0) this.keep();
    }
  }

  // The numbers of the events that wrote to the console.
  get consoleLines(): readonly number[] {
    return this.consoleEvents;
  }

  at(n: number): State {
    const target = Math.min(Math.max(1, n), this.events.length);
    if (this.working.n > target || target - this.working.n > this.interval)
      this.restore(Math.floor(target / this.interval));
    while (this.working.n < target) this.apply(this.working.n + 1);
    return this.view(target);
  }

  private apply(n: number): void {
    const { event: when, item, queue } = this.times.moves;
    const work = this.working;
    work.n = n;
    while (work.moves < when.length && (when[work.moves] ?? 0) <= n) {
      const id = item[work.moves] ?? 0;
      const to = queue[work.moves] ?? 0;
      const from = work.where.get(id);
      if (from !== undefined) work.queues[from]?.delete(id);
      if (to === 0) work.where.delete(id);
      else {
        work.where.set(id, to);
        work.queues[to]?.add(id);
      }
      ++work.moves;
    }
    const event = this.events[n - 1];
    if (event?.ev === 'callback_begin') work.stack.push(event.id ?? 0);
    if (event?.ev === 'callback_end') {
      const at = work.stack.lastIndexOf(event.id ?? 0);
      if (at >= 0) work.stack.length = at;
    }
  }

  private keep(): void {
    this.snapshots.push({
      moves: this.working.moves,
      queues: this.working.queues.map((queue) => Int32Array.from(queue)),
      stack: Int32Array.from(this.working.stack),
    });
  }

  private restore(index: number): void {
    const from = this.snapshots[index];
    if (!from) throw new RangeError(`no snapshot ${index}`);
    const work = new Working();
    work.n = index * this.interval;
    work.moves = from.moves;
    from.queues.forEach((ids, queue) => {
      for (const id of ids) {
        work.queues[queue]?.add(id);
        work.where.set(id, queue);
      }
    });
    work.stack = Array.from(from.stack);
    this.working = work;
  }

  private view(n: number): State {
    const event = this.events[n - 1];
    if (!event) throw new RangeError(`no event ${n}`);
    const queues = {} as State['queues'];
    kQueues.forEach((name, number) => {
      if (name !== 'none') queues[name] = Array.from(this.working.queues[number] ?? []);
    });
    const number = lastBefore(this.drainBegins, n + 1);
    const drain = this.callbacks.drains[number + 1];
    const isDraining = drain !== undefined && drain.begin > 0 && n >= drain.begin && n < drain.end;
    return {
      n,
      event,
      queues,
      handles: this.handles.filter((handle) => handle.from <= n && n < handle.to),
      stack: [...this.working.stack],
      isDraining,
      pool: this.poolAt(n, queues.pool),
      lines: lastBefore(this.consoleEvents, n + 1) + 1,
    };
  }

  private poolAt(n: number, ids: number[]): State['pool'] {
    const pool: State['pool'] = { running: [], waiting: [], done: [] };
    for (const id of ids) {
      const request = (this.byCallback.get(id) ?? []).find((one) => one.submitted <= n && n < one.told);
      if (!request) continue;
      if (n >= request.ended) pool.done.push(request);
      else if (n >= request.begun) pool.running.push(request);
      else pool.waiting.push(request);
    }
    pool.running.sort((a, b) => a.thread - b.thread);
    return pool;
  }
}
