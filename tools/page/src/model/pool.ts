// The requests that stood at the thread pool, each with the thread that worked on it, from its work_begin to its work_end.
import type { Waiting } from './queues';
import type { TraceEvent } from './types';

export interface Work {
  id: number; // the callback; an operation may have several requests, one after the other
  op: string;
  thread: number;
  request: number; // events: it came to the pool
  begin: number;
  end: number; // 0: not done when the process ended
}

// What stands at the pool at one moment.
export interface Pool {
  working: Work[]; // by thread
  waiting: Waiting[]; // in the order in which they came
  done: Waiting[]; // poll has not brought them yet
}

export class WorkLog {
  readonly all: Work[] = []; // in the order in which it began
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

  // What has become of those in the pool by event n.
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
