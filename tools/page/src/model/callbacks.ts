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
  ticks: number;
  microtasks: number;
  depth: number; // of the stack when it begins
  callbacks: number[]; // ids that began in it at its own level, in order
}

// One request that a thread of the pool works on. An operation may have several, one after the other.
export interface PoolRequest {
  id: number;
  op: string;
  submitted: number; // event
  told: number; // event of its `ready`; Infinity: never
  started: number; // ns; Infinity: never
  done: number; // ns; Infinity: not before the end
  thread: number; // -1: none
  inferred: boolean; // the trace does not tell: it never became ready
}

export interface Callbacks {
  byId: Map<number, Callback>;
  inOrder: Callback[]; // those that began, in that order
  drains: Drain[]; // drains[0] is none
  requests: PoolRequest[]; // by the event at which they were submitted
  maxDepth: number;
}

const kPoolApis = new Set(['fs', 'dns', 'crypto', 'zlib']);
export const isPoolApi = (api: string): boolean => kPoolApis.has(api);

export function gatherCallbacks(events: TraceEvent[], threads: number): Callbacks {
  const byId = new Map<number, Callback>();
  const inOrder: Callback[] = [];
  const drains: Drain[] = [{ begin: 0, end: 0, ticks: 0, microtasks: 0, depth: 0, callbacks: [] }];
  const requests: PoolRequest[] = [];
  const openRequest = new Map<number, PoolRequest>();
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
        if (isPoolApi(callback.api)) {
          const request = {
            id: callback.id,
            op: callback.op,
            submitted: event.seq,
            told: Infinity,
            started: Infinity,
            done: Infinity,
            thread: -1,
            inferred: true,
          };
          requests.push(request);
          openRequest.set(callback.id, request);
        }
        break;
      }
      case 'ready': {
        const request = openRequest.get(event.id ?? 0);
        if (!request) break;
        request.told = event.seq;
        request.done = event.at ?? event.t;
        request.started = event.started ?? request.done;
        request.thread = event.thread ?? -1;
        request.op = event.op ?? request.op;
        request.inferred = false;
        // Another request of the same operation may follow; what begins first says that none did.
        const next = {
          ...request,
          submitted: event.seq,
          told: Infinity,
          started: Infinity,
          done: Infinity,
          thread: -1,
          inferred: true,
        };
        requests.push(next);
        openRequest.set(request.id, next);
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
        if (drain && stack.length === drainDepth) {
          callback.drain = drain;
          drains[drain]?.callbacks.push(callback.id);
        }
        stack.push(callback);
        inOrder.push(callback);
        maxDepth = Math.max(maxDepth, stack.length);
        const request = openRequest.get(callback.id);
        if (request) {
          openRequest.delete(callback.id);
          request.submitted = Infinity; // there was no further request
        }
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
        drains.push({
          begin: event.seq,
          end: events.length + 1,
          ticks: event.ticks ?? 0,
          microtasks: event.microtasks ?? 0,
          depth: stack.length,
          callbacks: [],
        });
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
  const real = requests.filter((request) => request.submitted !== Infinity);
  inferThreads(real, events, threads);
  return { byId, inOrder, drains, requests: real, maxDepth };
}

function lastIndexOf(stack: Callback[], id: number): number {
  for (let i = stack.length - 1; i >= 0; --i) if (stack[i]?.id === id) return i;
  return -1;
}

// What was never done when the process ended had a thread or waited for one; the trace does not say. The pool takes requests in order,
// so each gets the first thread on which nothing else is known to begin later.
function inferThreads(requests: PoolRequest[], events: TraceEvent[], threads: number): void {
  const unknown = requests.filter((request) => request.inferred);
  if (unknown.length === 0) return;
  const free = new Array<number>(threads).fill(0);
  for (const request of requests) {
    if (request.thread >= 0) free[request.thread] = Math.max(free[request.thread] ?? 0, request.done);
  }
  for (const request of unknown) {
    const best = free.indexOf(Math.min(...free));
    const from = Math.max(events[request.submitted - 1]?.t ?? 0, free[best] ?? Infinity);
    if (from === Infinity) continue;
    request.thread = best;
    request.started = from;
    free[best] = Infinity;
  }
}
