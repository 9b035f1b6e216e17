// What stands in which queue, event after event, as the trace tells it (docs/trace-format.md, "What waits where"). Nothing is worked out:
// an entry stands where it was put last, from then until it is taken away, in the order in which it came.
import type { TraceEvent } from './types';

export const kQueues = [
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

// A callback, or something of Node's, V8's or libuv's own.
export interface Waiting {
  id: number; // the callback; 0: it has none
  entry: number; // its number among those without a callback; 0: it has one
  name: string; // of the callback, or of the socket, server ...; may be empty
  op: string; // what it is: a function of Node's, a request, an event; may be empty
  since: number; // the event that put it there
}

// The queue that a schedule puts a callback into; null: an enqueue tells, or it waits nowhere.
export function scheduledInto(api: string): Queue | null {
  switch (api) {
    case 'setTimeout':
    case 'setInterval':
      return 'timers';
    case 'setImmediate':
      return 'immediates';
    case 'nextTick':
      return 'ticks';
    case 'queueMicrotask':
      return 'microtasks';
    case 'then':
    case 'catch':
    case 'finally':
    case 'await':
      return 'promises';
    case 'write':
    case 'end':
      return 'writes';
    default:
      return null;
  }
}

// Callbacks and entries are numbered apart.
const keyOf = (event: TraceEvent): number => (event.entry ? -event.entry : (event.id ?? 0));

const waitingOf = (event: TraceEvent): Waiting => ({
  id: event.entry ? 0 : (event.id ?? 0),
  entry: event.entry ?? 0,
  name: event.name ?? '',
  op: event.op ?? '',
  since: event.seq,
});

export class Queues {
  private readonly lines = new Map<Queue, Map<number, Waiting>>(kQueues.map((queue) => [queue, new Map()]));
  private readonly where = new Map<number, Queue>();

  // The queue that something has left because it is its turn; null: nothing has.
  apply(event: TraceEvent): Queue | null {
    switch (event.ev) {
      case 'schedule': {
        const queue = scheduledInto(event.api ?? '');
        if (queue) this.put(queue, event);
        return null;
      }
      case 'enqueue':
        this.put(event.queue as Queue, event);
        return null;
      case 'cancel':
      case 'ready': // its callback comes at once, or its next request
        this.take(keyOf(event));
        return null;
      case 'dequeue':
      case 'callback_begin':
        return this.take(keyOf(event));
      default:
        return null;
    }
  }

  in(queue: Queue): Waiting[] {
    return [...(this.lines.get(queue)?.values() ?? [])];
  }

  // The events that put there what stands in a queue now, by queue: enough to restore it.
  keep(): Int32Array[] {
    return kQueues.map((queue) => Int32Array.from(this.in(queue).map((waiting) => waiting.since)));
  }
  restore(kept: Int32Array[], events: TraceEvent[]): void {
    kQueues.forEach((queue, i) => {
      for (const since of kept[i] ?? []) {
        const event = events[since - 1];
        if (event) this.put(queue, event);
      }
    });
  }

  private put(queue: Queue, event: TraceEvent): void {
    const key = keyOf(event);
    this.take(key);
    this.lines.get(queue)?.set(key, waitingOf(event));
    this.where.set(key, queue);
  }

  private take(key: number): Queue | null {
    const queue = this.where.get(key);
    if (queue === undefined) return null;
    this.lines.get(queue)?.delete(key);
    this.where.delete(key);
    return queue;
  }
}
