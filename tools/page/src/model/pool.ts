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

  private readonly requests = new Map<number, number>(); // by callback
  private readonly open = new Map<number, Work>(); // by thread

  add(event: TraceEvent): void {
    const { id = 0, thread = 0 } = event;
    if (event.ev === 'enqueue' && event.queue === 'pool') this.requests.set(id, event.seq);
    if (event.ev === 'work_begin') this.open.set(thread, this.begin(event, this.requests.get(id) ?? 0));
    if (event.ev === 'work_end') {
      const work = this.open.get(thread);
      if (work) work.end = event.seq;
      this.open.delete(thread);
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

  private begin(event: TraceEvent, request: number): Work {
    const { id = 0, op = '', thread = 0, seq } = event;
    const work = { id, op, thread, request, begin: seq, end: 0 };
    this.all.push(work);
    this.byRequest.set(request, work);
    return work;
  }
}
