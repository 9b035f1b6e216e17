// What the trace tells of every callback, gathered in one pass over the events.
import type { Phase, TraceEvent } from './types';

export interface Callback {
  id: number;
  api: string;
  name: string; // as it is shown
  op: string;
  by: number; // the callback that asked for it; 0: none
  line: number; // of the step that asked for it; 0: not told
  scheduled: number; // event numbers; 0: never
  begin: number;
  end: number;
  cancelled: number;
  due: number; // ns; -1: none
  delay: number; // ns; -1: none
  late: number; // ns; -1: not told
  depth: number; // how many callbacks were running when it began
  drain: number; // number of the drain in which it began, from 1; 0: none
  phase: Phase | ''; // in which it began
  unrefs: number[]; // event numbers of ref() and unref(), ascending; unref() is negative
}

export interface Drain {
  begin: number;
  end: number;
  depth: number; // of the stack when it begins
}

// One request that a thread of the pool works on. An operation may have several, one after the other.
export interface PoolRequest {
  id: number;
  op: string;
  submitted: number; // events; Infinity: never
  begun: number;
  ended: number;
  told: number; // poll has found it
  started: number; // ns; Infinity: never
  done: number; // ns; Infinity: not before the end
  thread: number; // -1: none
}

export interface Callbacks {
  byId: Map<number, Callback>;
  inOrder: Callback[]; // those that began, in that order
  drains: Drain[]; // drains[0] is none
  requests: PoolRequest[]; // by the event at which they were submitted
  maxDepth: number;
}

export function gatherCallbacks(events: TraceEvent[]): Callbacks {
  const byId = new Map<number, Callback>();
  const inOrder: Callback[] = [];
  const drains: Drain[] = [{ begin: 0, end: 0, depth: 0 }];
  const stack: Callback[] = [];
  let drain = 0;
  let drainDepth = 0;
  let maxDepth = 0;

  const callbackOf = (event: TraceEvent): Callback => {
    const id = event.id ?? 0;
    let known = byId.get(id);
    if (!known) {
      known = {
        id,
        api: event.api ?? '',
        name: event.name ?? event.api ?? '',
        op: event.op ?? '',
        by: 0,
        line: 0,
        scheduled: 0,
        begin: 0,
        end: 0,
        cancelled: 0,
        due: -1,
        delay: -1,
        late: -1,
        depth: 0,
        drain: 0,
        phase: '',
        unrefs: [],
      };
      byId.set(id, known);
    }
    return known;
  };

  for (const event of events) {
    switch (event.ev) {
      case 'schedule': {
        const callback = callbackOf(event);
        callback.scheduled = event.seq;
        callback.by = typeof event.by === 'number' ? event.by : 0;
        callback.line = event.line ?? (event.handle ? (byId.get(event.handle)?.line ?? 0) : 0);
        callback.due = event.due ?? -1;
        callback.delay = event.delay ?? -1;
        callback.op = event.op ?? '';
        break;
      }
      case 'cancel':
        callbackOf(event).cancelled = event.seq;
        break;
      case 'ref':
        callbackOf(event).unrefs.push(event.seq);
        break;
      case 'unref':
        callbackOf(event).unrefs.push(-event.seq);
        break;
      case 'callback_begin': {
        const callback = callbackOf(event);
        if (callback.begin) break;
        if (!callback.scheduled && typeof event.by === 'number') callback.by = event.by;
        callback.begin = event.seq;
        callback.phase = event.phase;
        callback.op = event.op ?? callback.op;
        if (event.due !== undefined) callback.due = event.due;
        callback.late = event.late ?? -1;
        callback.depth = stack.length;
        if (drain && stack.length === drainDepth) callback.drain = drain;
        stack.push(callback);
        inOrder.push(callback);
        maxDepth = Math.max(maxDepth, stack.length);
        break;
      }
      case 'callback_end': {
        const at = lastIndexOf(stack, event.id ?? 0);
        if (at >= 0) {
          const callback = stack[at];
          if (callback) callback.end = event.seq;
          stack.length = at;
        }
        break;
      }
      case 'drain_begin':
        drains.push({ begin: event.seq, end: events.length + 1, depth: stack.length });
        drain = drains.length - 1;
        drainDepth = stack.length;
        break;
      case 'drain_end': {
        const open = drains[drain];
        if (open) open.end = event.seq;
        drain = 0;
        break;
      }
      default:
        break;
    }
  }
  return { byId, inOrder, drains, requests: gatherRequests(events), maxDepth };
}

function gatherRequests(events: TraceEvent[]): PoolRequest[] {
  const requests: PoolRequest[] = [];
  const open = new Map<number, PoolRequest>(); // by callback
  for (const event of events) {
    const id = event.id ?? 0;
    const request = open.get(id);
    if (event.ev === 'enqueue' && event.queue === 'pool') {
      const fresh = {
        id,
        op: event.op ?? '',
        submitted: event.seq,
        begun: Infinity,
        ended: Infinity,
        told: Infinity,
        started: Infinity,
        done: Infinity,
        thread: -1,
      };
      requests.push(fresh);
      open.set(id, fresh);
    } else if (request && event.ev === 'work_begin') {
      request.begun = event.seq;
      request.started = event.t;
      request.thread = event.thread ?? -1;
    } else if (request && event.ev === 'work_end') {
      request.ended = event.seq;
      request.done = event.t;
    } else if (request && event.ev === 'enqueue' && event.queue === 'ready') {
      request.told = event.seq;
    }
  }
  return requests;
}

function lastIndexOf(stack: Callback[], id: number): number {
  for (let i = stack.length - 1; i >= 0; --i) if (stack[i]?.id === id) return i;
  return -1;
}
