// Facts about every callback, collected in one pass over the events.
import type { Phase, TraceEvent } from './types';

export interface Callback {
  id: number;
  api: string;
  name: string; // display name
  op: string;
  by: number; // the callback that scheduled it; 0: none
  line: number; // of the step that scheduled it; 0: unknown
  column: number;
  scheduled: number; // event numbers; 0: never
  begin: number;
  end: number;
  from: number; // ns; when it began
  to: number; // ns; when it ended
  cancelled: number;
  due: number; // ns; -1: none
  delay: number; // ns; -1: none
  late: number; // ns; -1: unknown
  depth: number; // number of running callbacks when it began
  phase: Phase | ''; // in which it began
  unrefs: number[]; // event numbers of ref() and unref(), ascending; unref() is negative
}

export interface Callbacks {
  byId: Map<number, Callback>;
  inOrder: Callback[]; // callbacks that began, in that order
}

export class CallbackLog implements Callbacks {
  readonly byId = new Map<number, Callback>();
  readonly inOrder: Callback[] = [];
  private readonly stack: Callback[] = [];

  private callbackOf(event: TraceEvent): Callback {
    const id = event.id ?? 0;
    let known = this.byId.get(id);
    if (!known) {
      known = {
        id,
        api: event.api ?? '',
        name: event.name ?? event.api ?? '',
        op: event.op ?? '',
        by: 0,
        line: 0,
        column: 0,
        scheduled: 0,
        begin: 0,
        end: 0,
        from: 0,
        to: 0,
        cancelled: 0,
        due: -1,
        delay: -1,
        late: -1,
        depth: 0,
        phase: '',
        unrefs: [],
      };
      this.byId.set(id, known);
    }
    return known;
  }

  add(event: TraceEvent): void {
    const { byId, inOrder, stack } = this;
    switch (event.ev) {
      case 'schedule': {
        const callback = this.callbackOf(event);
        callback.scheduled = event.seq;
        callback.by = typeof event.by === 'number' ? event.by : 0;
        const place = event.line === undefined ? byId.get(event.handle ?? 0) : event;
        callback.line = place?.line ?? 0;
        callback.column = place?.column ?? 0;
        callback.due = event.due ?? -1;
        callback.delay = event.delay ?? -1;
        callback.op = event.op ?? '';
        // The next round of an interval, or a timer after refresh(), is unref'd if the previous one was.
        if (isUnref(byId.get(event.handle ?? 0))) callback.unrefs.push(-event.seq);
        break;
      }
      case 'cancel':
        if (event.why !== 'clear_running') this.callbackOf(event).cancelled = event.seq;
        break;
      case 'ref':
        this.callbackOf(event).unrefs.push(event.seq);
        break;
      case 'unref':
        this.callbackOf(event).unrefs.push(-event.seq);
        break;
      case 'callback_begin': {
        const callback = this.callbackOf(event);
        if (callback.begin) break;
        if (!callback.scheduled && typeof event.by === 'number') callback.by = event.by;
        callback.begin = event.seq;
        callback.from = event.t;
        callback.phase = event.phase;
        callback.op = event.op ?? callback.op;
        if (event.due !== undefined) callback.due = event.due;
        callback.late = event.late ?? -1;
        callback.depth = stack.length;
        stack.push(callback);
        inOrder.push(callback);
        break;
      }
      case 'callback_end': {
        const at = lastIndexOf(stack, event.id ?? 0);
        if (at >= 0) {
          const callback = stack[at];
          if (callback) [callback.end, callback.to] = [event.seq, event.t];
          stack.length = at;
        }
        break;
      }
      default:
        break;
    }
  }
}

function isUnref(callback: Callback | undefined): boolean {
  return (callback?.unrefs[callback.unrefs.length - 1] ?? 0) < 0;
}

function lastIndexOf(stack: Callback[], id: number): number {
  for (let i = stack.length - 1; i >= 0; --i) if (stack[i]?.id === id) return i;
  return -1;
}
