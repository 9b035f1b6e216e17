// What stands in which queue after every event, as the trace tells it (docs/trace-format.md, "What waits where").
import type { TraceEvent } from './types';

export const kQueues = [
  'none',
  'timers',
  'immediates',
  'ticks',
  'microtasks',
  'promises',
  'pool',
  'network',
  'writes',
  'ready',
  'pending',
  'closing',
] as const;
export type Queue = (typeof kQueues)[number];

// Where an event of the trace's kind `schedule` puts a callback; of the others an `enqueue` tells.
const kScheduledInto: Record<string, Queue> = {
  setTimeout: 'timers',
  setInterval: 'timers',
  setImmediate: 'immediates',
  nextTick: 'ticks',
  queueMicrotask: 'microtasks',
  then: 'promises',
  catch: 'promises',
  finally: 'promises',
  await: 'promises',
  write: 'writes',
  end: 'writes',
};

// Something of Node's, V8's or libuv's own that stands in a queue: there is no callback of the program's to it.
export interface Entry {
  id: number; // less than 0: minus the trace's number
  name: string; // the socket, server, child that it belongs to; '': none
  op: string; // the function of Node that it is; '': not told
}

// Something moves to a queue when an event happens. Sorted by event.
export interface Moves {
  event: Int32Array;
  item: Int32Array; // a callback's id, or an entry's
  queue: Uint8Array;
}

export interface QueueTimes {
  moves: Moves;
  entries: Map<number, Entry>;
}

export function followQueues(events: TraceEvent[]): QueueTimes {
  const event: number[] = [];
  const item: number[] = [];
  const queue: number[] = [];
  const waiting = new Set<number>();
  const entries = new Map<number, Entry>();

  const put = (at: TraceEvent, id: number, to: Queue): void => {
    event.push(at.seq);
    item.push(id);
    queue.push(kQueues.indexOf(to));
    waiting.add(id);
  };
  const take = (at: TraceEvent, id: number): void => {
    if (!waiting.has(id)) return;
    put(at, id, 'none');
    waiting.delete(id);
  };

  for (const at of events) {
    const id = at.entry === undefined ? (at.id ?? 0) : -at.entry;
    switch (at.ev) {
      case 'schedule': {
        const to = kScheduledInto[at.api ?? ''];
        if (to) put(at, id, to);
        break;
      }
      case 'enqueue':
        if (id < 0) entries.set(id, { id, name: at.name ?? '', op: at.op ?? '' });
        put(at, id, at.queue ?? 'none');
        break;
      case 'dequeue':
      case 'cancel':
      case 'callback_begin':
        take(at, id);
        break;
      default:
        break;
    }
  }
  return { moves: { event: Int32Array.from(event), item: Int32Array.from(item), queue: Uint8Array.from(queue) }, entries };
}

// Index of the last number in an ascending list that is less than `limit`; -1: none.
export function lastBefore(list: ArrayLike<number>, limit: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
