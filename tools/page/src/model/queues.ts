// When a callback stands in which queue. The trace tells when a callback was asked for and when it begins; between the two it moves
// from queue to queue, and this module works out the moves. docs/page.md says what is told and what is concluded.
import { type Callback, type Callbacks, isPoolApi } from './callbacks';
import type { Part, TraceEvent } from './types';

export const kQueues = [
  'none',
  'timers',
  'pending',
  'poll',
  'ready',
  'pool',
  'immediates',
  'closing',
  'ticks',
  'microtasks',
  'promises',
] as const;
export type Queue = (typeof kQueues)[number];

// A callback moves to a queue when an event happens. Sorted by event.
export interface Moves {
  event: Int32Array;
  callback: Int32Array;
  queue: Uint8Array;
}

// A server, a socket, a signal ... that will be heard of: `poll` waits for it.
export interface Handle {
  id: number; // beyond those of callbacks
  name: string;
  op: string;
  by: number;
  from: number; // event
  to: number;
}

export interface QueueTimes {
  moves: Moves;
  handles: Handle[];
}

const kReactions = new Set(['then', 'catch', 'finally', 'await']);
const queueNumber = (queue: Queue): number => kQueues.indexOf(queue);

export function workOutQueues(events: TraceEvent[], callbacks: Callbacks, parts: Part[]): QueueTimes {
  const list: [number, number, Queue][] = [];
  const move = (event: number, callback: Callback, queue: Queue): void => {
    if (event > 0 && Number.isFinite(event)) list.push([event, callback.id, queue]);
  };
  const context = new Context(events, callbacks, parts);
  const handles = new Map<string, Handle>();
  let nextHandle = 1;
  for (const id of callbacks.byId.keys()) nextHandle = Math.max(nextHandle, id + 1);

  for (const callback of callbacks.byId.values()) {
    if (callback.api === 'main') continue;
    const leaves = callback.begin || callback.cancelled;
    const from = callback.scheduled;
    if (from) {
      if (callback.api === 'setTimeout' || callback.api === 'setInterval') {
        move(from, callback, 'timers');
      } else if (callback.api === 'setImmediate') {
        move(from, callback, 'immediates');
      } else if (callback.api === 'nextTick') {
        move(from, callback, 'ticks');
      } else if (callback.api === 'queueMicrotask') {
        move(from, callback, 'microtasks');
      } else if (kReactions.has(callback.api)) {
        const queued = callback.begin ? context.whenQueued(callback) : Infinity;
        if (queued > from) move(from, callback, 'promises');
        if (queued < Infinity) move(queued, callback, 'microtasks');
      } else if (isPoolApi(callback.api)) {
        move(from, callback, context.usesPool(callback) ? 'pool' : 'poll');
        const poll = callback.begin ? context.pollOf(callback) : 0;
        if (poll > from) move(poll, callback, 'ready');
      } else {
        move(from, callback, callback.drain ? 'ticks' : 'poll');
      }
    } else if (
      callback.begin &&
      callback.depth === (callback.drain ? callbacks.drains[callback.drain]?.depth : 0) &&
      callback.api !== 'process'
    ) {
      // Listeners: nobody asked for this call. The loop makes it in a phase, or Node in a tick that follows at once.
      if (callback.phase === 'poll' && (!callback.drain || callback.due >= 0)) {
        const poll = context.pollOf(callback);
        move(poll, callback, 'ready');
        const known = handles.get(callback.name);
        const asked = callbacks.byId.get(callback.by);
        if (known) known.to = callback.begin;
        else {
          handles.set(callback.name, {
            id: nextHandle++,
            name: callback.name,
            op: callback.op,
            by: callback.by,
            from: asked?.end && asked.end < callback.begin ? asked.end : poll,
            to: callback.begin,
          });
        }
      } else if (callback.phase === 'closing' && !callback.drain) {
        move(context.sincePhase(callback), callback, 'closing');
      } else if (callback.phase === 'pending' && context.isFirstDrain(callback)) {
        move(context.sincePhase(callback), callback, 'pending');
      }
      if (callback.drain) move(context.whenTicked(callback), callback, 'ticks');
    }
    if (leaves) move(leaves, callback, 'none');
  }

  list.sort((a, b) => a[0] - b[0]);
  const moves: Moves = {
    event: new Int32Array(list.length),
    callback: new Int32Array(list.length),
    queue: new Uint8Array(list.length),
  };
  list.forEach(([event, id, queue], i) => {
    moves.event[i] = event;
    moves.callback[i] = id;
    moves.queue[i] = queueNumber(queue);
  });
  return { moves, handles: [...handles.values()] };
}

class Context {
  private readonly polls: number[] = []; // events
  private readonly settled = new Map<string, number[]>(); // by the promise's name: events
  private readonly reactionSteps = new Map<number, Part[]>(); // by line
  private readonly begins: number[] = []; // events: outermost callbacks and those at a drain's own level
  private readonly enters: number[] = []; // events: phases begin
  // By callback, within its drain: the one before it, how many microtasks and how many ticks ran before it.
  private readonly places = new Map<number, { previous: number; microtasks: number; ticks: number }>();
  private readonly onThreads = new Set<number>();

  constructor(
    private readonly events: TraceEvent[],
    private readonly callbacks: Callbacks,
    parts: Part[],
  ) {
    for (const event of events) {
      if (event.ev === 'poll') this.polls.push(event.seq);
      if (event.ev === 'phase_enter') this.enters.push(event.seq);
      if (event.ev === 'settle' && event.name) {
        const list = this.settled.get(event.name) ?? [];
        list.push(event.seq);
        this.settled.set(event.name, list);
      }
    }
    for (const part of parts) {
      if (part.kind !== 'step' || part.awaits === null) continue;
      const list = this.reactionSteps.get(part.line) ?? [];
      list.push(part);
      this.reactionSteps.set(part.line, list);
    }
    for (const callback of callbacks.inOrder)
      if (callback.depth === 0 || callback.drain) this.begins.push(callback.begin);
    for (const request of callbacks.requests)
      if (request.thread >= 0 || request.inferred) this.onThreads.add(request.id);
    for (const drain of callbacks.drains) {
      let previous = 0;
      let microtasks = 0;
      let ticks = 0;
      for (const id of drain.callbacks) {
        this.places.set(id, { previous, microtasks, ticks });
        const api = callbacks.byId.get(id)?.api ?? '';
        if (kReactions.has(api) || api === 'queueMicrotask') ++microtasks;
        else if (api !== 'process') ++ticks;
        previous = id;
      }
    }
  }

  usesPool(callback: Callback): boolean {
    return this.onThreads.has(callback.id);
  }

  // The poll that brought it: the last one before it began.
  pollOf(callback: Callback): number {
    return this.polls[lastBefore(this.polls, callback.begin)] ?? 0;
  }

  // Since when a callback of the pending or closing phase is known to wait: since the callback that asked for it ended, if that was after
  // the same phase of the turn before; else since the phase began.
  sincePhase(callback: Callback): number {
    const enter = this.enters[lastBefore(this.enters, callback.begin)] ?? callback.begin;
    const turn = this.events[enter - 1]?.turn ?? 0;
    const asked = this.callbacks.byId.get(callback.by);
    if (asked?.end && asked.end < enter && (this.events[asked.end - 1]?.turn ?? 0) >= turn - 1) {
      const before = this.events[asked.end - 1];
      if (before && (before.turn === turn || before.turn === 0 || before.phase === callback.phase)) return asked.end;
    }
    return enter;
  }

  // When a promise reaction came into the microtask queue. Between `scheduled` and `begin`.
  whenQueued(callback: Callback): number {
    const clamp = (event: number): number => Math.min(Math.max(event, callback.scheduled), callback.begin - 1);
    const steps = this.reactionSteps.get(callback.line) ?? [];
    const own = steps.filter((part) => (callback.api === 'await') === (part.name === 'await'));
    const awaited = own.length === 1 ? own[0]?.awaits : undefined;
    if ((callback.api === 'then' || callback.api === 'await') && typeof awaited === 'string') {
      if (awaited === '') return callback.scheduled;
      const times = this.settled.get(awaited) ?? [];
      const at = lastBefore(times, callback.begin);
      if (at >= 0) return clamp(times[at] ?? 0);
    }
    const drain = this.callbacks.drains[callback.drain];
    if (!drain) return clamp(callback.scheduled);
    const { previous, microtasks } = this.places.get(callback.id) ?? { previous: 0, microtasks: 0 };
    if (microtasks < drain.microtasks) {
      // It was there when the queues began to be emptied. Asked for in the callback before: then since that.
      return callback.scheduled > this.lastBeginBefore(drain.begin) ? callback.scheduled : clamp(drain.begin);
    }
    if (callback.scheduled > drain.begin) return callback.scheduled;
    return clamp(this.callbacks.byId.get(previous)?.end || drain.begin);
  }

  // When a tick of Node's own, in which a listener is called, came into its queue: before the queues were emptied, or in the callback before.
  whenTicked(callback: Callback): number {
    const drain = this.callbacks.drains[callback.drain];
    const place = this.places.get(callback.id);
    if (!drain || !place) return callback.begin;
    if (place.ticks < drain.ticks) return drain.begin;
    return this.callbacks.byId.get(place.previous)?.end || drain.begin;
  }

  // The phase has done nothing before the queues were emptied in which the callback ran: so it stood in the queue of the phase.
  isFirstDrain(callback: Callback): boolean {
    if (!callback.drain) return true;
    const begin = this.callbacks.drains[callback.drain]?.begin ?? 0;
    return this.events[begin - 2]?.ev === 'phase_enter';
  }

  private lastBeginBefore(event: number): number {
    return this.begins[lastBefore(this.begins, event)] ?? 0;
  }
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
