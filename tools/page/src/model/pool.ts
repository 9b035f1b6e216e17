// The thread pool's requests: each with its thread, from its work_begin to its work_end.
import type { Waiting } from './queues';
import type { TraceEvent } from './types';

export interface Work {
  id: number; // the callback; an operation may have several successive requests
  op: string;
  thread: number;
  request: number; // event numbers: its enqueue
  begin: number;
  end: number; // 0: unfinished at the end of the process
}

// The pool's requests at one moment.
export interface Pool {
  working: Work[]; // by thread
  waiting: Waiting[]; // in order of arrival
  done: Waiting[]; // not yet reported by poll
}

export class WorkLog {
  readonly all: Work[] = []; // in order of their begin
  private readonly byRequest = new Map<number, Work>();

  constructor(events: TraceEvent[]) {
    const requests = new Map<number, number>(); // by callback
    const open = new Map<number, Work>(); // by thread
    for (const event of events) {
      const [id, thread] = [event.id ?? 0, event.thread ?? 0];
      if (event.ev === 'enqueue' && event.queue === 'pool') requests.set(id, event.seq);
      if (event.ev === 'work_begin') open.set(thread, this.add(event, requests.get(id) ?? 0));
      if (event.ev === 'work_end') {
        const work = open.get(thread);
        if (work) work.end = event.seq;
        open.delete(thread);
      }
    }
  }

  // The state of `requests` after event n.
  poolAt(n: number, requests: Waiting[]): Pool {
    const pool: Pool = { working: [], waiting: [], done: [] };
    for (const request of requests) {
      const work = this.byRequest.get(request.since);
      if (!work || work.begin > n) pool.waiting.push(request);
      else if (work.end && work.end <= n) pool.done.push(request);
      else pool.working.push(work);
    }
    pool.working.sort((a, b) => a.thread - b.thread);
    return pool;
  }

  private add(event: TraceEvent, request: number): Work {
    const { id = 0, op = '', thread = 0, seq } = event;
    const work = { id, op, thread, request, begin: seq, end: 0 };
    this.all.push(work);
    this.byRequest.set(request, work);
    return work;
  }
}
