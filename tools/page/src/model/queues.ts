// The contents of the queues after each event, as recorded in the trace (docs/trace-format.md, "What waits where").
// Nothing is inferred: an entry is in the queue into which it was put last until it is taken out, in order of arrival.
import type { List } from './list';
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
  // of libuv alone
  'idle',
  'prepare',
  'check',
  'async',
  // of a browser
  'tasks',
  'delayedTasks',
  'frames',
  'idles',
] as const;
export type Queue = (typeof kQueues)[number];

// A callback, or an internal entry of the runtime.
export interface Waiting {
  id: number; // the callback; 0: none
  entry: number; // number of an entry without a callback; 0: it has one
  name: string; // of the callback, socket, server ...; may be empty
  op: string; // a function of Node, a request, an event; may be empty
  since: number; // the event that put it there
}

// The queue into which `schedule` puts a callback; null: given by a later `enqueue`, or none.
export function scheduledInto(api: string): Queue | null {
  switch (api) {
    case 'setTimeout':
    case 'setInterval':
    case 'uv_timer_start':
      return 'timers';
    case 'uv_idle_start':
      return 'idle';
    case 'uv_prepare_start':
      return 'prepare';
    case 'uv_check_start':
      return 'check';
    case 'setImmediate':
      return 'immediates';
    case 'nextTick':
      return 'ticks';
    case 'queueMicrotask':
    case 'MutationObserver':
      return 'microtasks';
    case 'then':
    case 'catch':
    case 'finally':
    case 'await':
      return 'promises';
    case 'write':
    case 'end':
      return 'writes';
    case 'postMessage':
    case 'postTask':
    case 'yield':
    case 'fetch':
    case 'history':
    case 'IntersectionObserver':
    case 'AbortSignal.timeout':
    case 'event':
      return 'delayedTasks';
    case 'requestAnimationFrame':
      return 'frames';
    case 'requestIdleCallback':
      return 'idles';
    default:
      return null;
  }
}

// Callbacks and entries have separate numbers.
const keyOf = (event: TraceEvent): number => (event.entry ? -event.entry : (event.id ?? 0));

const isWithin = (key: number, ranges: [number, number][] = []): boolean =>
  ranges.some(([from, to]) => from <= key && key <= to);

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

  // The queue from which an entry was taken to run; null: none.
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
      case 'ready': // its callback follows at once, or its next request
        this.take(keyOf(event));
        return null;
      case 'gap': // what has left its queue in what is left out
        for (const [key] of [...this.where])
          if (isWithin(key, event.gap?.gone) || isWithin(-key, event.gap?.goneEntries)) this.take(key);
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

  // Per queue, the events that put its entries there: enough to restore it.
  keep(): Int32Array[] {
    return kQueues.map((queue) => Int32Array.from(this.in(queue).map((waiting) => waiting.since)));
  }
  restore(kept: Int32Array[], events: List<TraceEvent>): void {
    kQueues.forEach((queue, i) => {
      for (const since of kept[i] ?? []) {
        const event = events.at(since - 1);
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
