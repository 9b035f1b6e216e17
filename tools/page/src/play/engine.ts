// The engine as the page sees it: runs jobs one after the other in a worker, each with a bound on its time.
import type { FromWorker, Job, Outcome, ToWorker } from './engine_protocol';

// Why a job has no outcome.
export class NotRun extends Error {
  constructor(
    readonly why: 'stopped' | 'too long' | 'too deep' | 'failed',
    message = '',
  ) {
    super(message);
  }
}

interface Waiting {
  id: number;
  job: Job;
  bound: number; // ms
  resolve: (outcome: Outcome) => void;
  reject: (why: NotRun) => void;
}

export class Engine {
  private worker: Worker | null = null;
  private current: Waiting | null = null;
  private waiting: Waiting[] = [];
  private lastId = 0;
  private hasRun = false;
  private timer = 0;

  constructor(
    private readonly module: () => Promise<WebAssembly.Module>,
    private readonly makeWorker: () => Worker,
    private readonly startUp = 0, // ms more for the first job, with which the browser compiles what it needs of the module
  ) {}

  run(words: string[], files: Record<string, string>, bound: number): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ id: ++this.lastId, job: { words, files }, bound, resolve, reject });
      void this.next();
    });
  }

  // Ends the job that runs, and forgets those that wait.
  stop(): void {
    const [left, current] = [this.waiting, this.current];
    this.waiting = [];
    if (current) this.abandon(new NotRun('stopped'));
    for (const one of left) one.reject(new NotRun('stopped'));
  }

  private async next(): Promise<void> {
    if (this.current) return;
    const one = this.waiting.shift();
    if (!one) return;
    this.current = one;
    try {
      const module = await this.module();
      if (this.current !== one) return; // stopped meanwhile
      const worker = (this.worker ??= this.start(module));
      worker.postMessage({ kind: 'run', id: one.id, job: one.job } satisfies ToWorker);
      const bound = one.bound + (this.hasRun ? 0 : this.startUp);
      this.hasRun = true;
      this.timer = window.setTimeout(() => this.abandon(new NotRun('too long')), bound);
    } catch (error) {
      if (this.current === one)
        this.abandon(new NotRun('failed', error instanceof Error ? error.message : String(error)));
    }
  }

  private start(module: WebAssembly.Module): Worker {
    const worker = this.makeWorker();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>): void => this.hear(data);
    worker.onerror = (event): void => {
      event.preventDefault();
      if (this.worker === worker) this.abandon(new NotRun('failed', event.message));
    };
    worker.postMessage({ kind: 'module', module } satisfies ToWorker);
    return worker;
  }

  private hear(message: FromWorker): void {
    const one = this.current;
    if (message.id !== one?.id) return;
    window.clearTimeout(this.timer);
    this.current = null;
    if (message.kind === 'done') one.resolve(message.outcome);
    else one.reject(new NotRun(message.isTooDeep ? 'too deep' : 'failed', message.message));
    void this.next();
  }

  // A computation in WebAssembly cannot be interrupted: its worker goes with it, and the next job gets a new one.
  private abandon(why: NotRun): void {
    const one = this.current;
    window.clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null;
    this.current = null;
    one?.reject(why);
    void this.next();
  }
}
