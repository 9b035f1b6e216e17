// The servers, sockets, signals, child processes that poll waits for. The trace does not tell when a handle is opened: those are shown
// that will still be heard of in this run (docs/page.md).
import type { Callback, Callbacks } from './callbacks';
import { lastBefore } from './queues';
import type { TraceEvent } from './types';

export interface Handle {
  name: string;
  from: number; // event
  to: number;
}

export function concludeHandles(events: TraceEvent[], callbacks: Callbacks): Handle[] {
  const polls = events.filter((event) => event.ev === 'poll').map((event) => event.seq);
  const pollBefore = (event: number): number => polls[lastBefore(polls, event)] ?? 0;
  const handles = new Map<string, Handle>();
  for (const callback of callbacks.inOrder) {
    if (!isFirstOfPoll(callback, callbacks)) continue;
    const known = handles.get(callback.name);
    if (known) {
      known.to = callback.begin;
      continue;
    }
    const asked = callbacks.byId.get(callback.by);
    const from = asked?.end && asked.end < callback.begin ? asked.end : pollBefore(callback.begin);
    handles.set(callback.name, { name: callback.name, from, to: callback.begin });
  }
  return [...handles.values()];
}

// A listener that the poll phase calls, or the tick behind it for something that came from outside: nobody asked for this call.
function isFirstOfPoll(callback: Callback, callbacks: Callbacks): boolean {
  if (callback.scheduled || callback.phase !== 'poll' || callback.api === 'process') return false;
  if (callback.drain) return callback.due >= 0 && callback.depth === callbacks.drains[callback.drain]?.depth;
  return callback.depth === 0;
}
