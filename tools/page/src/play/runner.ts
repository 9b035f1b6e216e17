// When to run: as soon as something has changed, but not more often than the program can be run. A short program follows
// every key; a long one waits for a pause of the length of its last run, and a run that is out of date is ended.
const kMostDelay = 500; // ms
const kShort = 60; // ms of a run that follows each key at once
const kPatience = 300; // ms that a run gets to end by itself when another is wanted

export class Runner {
  private timer = 0;
  private cost = 0;
  private began = 0;
  private running: Promise<void> | null = null;
  private isWanted = false;
  private isStarting = false;

  constructor(
    private readonly run: () => Promise<void>,
    private readonly end: () => void, // ends what runs; its run() returns then
  ) {}

  get isRunning(): boolean {
    return this.running !== null;
  }

  // Something has changed.
  want(delay = this.cost < kShort ? 0 : Math.min(kMostDelay, this.cost)): void {
    window.clearTimeout(this.timer);
    if (this.isStarting) return;
    if (!this.running && delay === 0) {
      // Not in a task of its own: the browser would show the key first, and the engine has another thread.
      this.isStarting = true;
      queueMicrotask(() => this.start());
      return;
    }
    if (!this.running) {
      this.timer = window.setTimeout(() => this.start(), delay);
      return;
    }
    this.isWanted = true;
    const patience = Math.max(0, kPatience - (performance.now() - this.began));
    this.timer = window.setTimeout(() => {
      if (this.running) this.end();
    }, patience);
  }

  // The reader wants no picture.
  stop(): void {
    window.clearTimeout(this.timer);
    this.isWanted = false;
    if (this.running) this.end();
  }

  private start(): void {
    this.isStarting = false;
    this.began = performance.now();
    this.running = this.run().finally(() => {
      window.clearTimeout(this.timer);
      this.cost = performance.now() - this.began;
      this.running = null;
      if (!this.isWanted) return;
      this.isWanted = false;
      this.want(0);
    });
  }
}
