// Position in the run: the current event, the selected callback, playback. Views are listeners.
import type { Model, Relation } from './model/model';
import type { State } from './model/state';
import type { TraceEvent } from './model/types';

export const kSpeeds = [0.5, 1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000] as const; // steps per second

export interface Position {
  state: State;
  stop: number; // which of the program's steps behind the event, from 1; 0: the event itself
  step: TraceEvent | null; // that step
  selected: number; // the callback whose reason is shown; 0: none
  relation: Relation;
  isPinned: boolean; // selected by the user; otherwise it follows the event
}

type Listener = (position: Position) => void;

export class Player {
  private listeners: Listener[] = [];
  private playListeners: (() => void)[] = [];
  private pinned: number | null = null;
  private frame = 0;
  private last = 0;
  private owed = 0;
  private current: State;
  private currentStop: number;
  speed = 4;

  constructor(
    readonly model: Model,
    start: number,
    stop = 0,
  ) {
    const n = Math.min(start, model.size);
    this.currentStop = Math.min(stop, model.stopsAfter(n));
    this.current = model.atStop(n, this.currentStop);
  }

  // The model has another run.
  load(start: number, stop: number): void {
    this.pause();
    this.pinned = null;
    const n = Math.min(start, this.model.size);
    this.currentStop = Math.min(stop, this.model.stopsAfter(n));
    this.current = this.model.atStop(n, this.currentStop);
  }

  get n(): number {
    return this.current.n;
  }
  get stop(): number {
    return this.currentStop;
  }
  get isPlaying(): boolean {
    return this.frame !== 0;
  }
  get position(): Position {
    const stop = this.currentStop;
    const at = { state: this.current, stop, step: this.model.program.stop(this.current.n, stop) };
    if (this.pinned !== null) return { ...at, selected: this.pinned, relation: 'event', isPinned: true };
    const { id, relation } = this.model.focus(this.current.n);
    return { ...at, selected: id, relation, isPinned: false };
  }

  onMove(listener: Listener): void {
    this.listeners.push(listener);
  }
  onPlay(listener: () => void): void {
    this.playListeners.push(listener);
  }
  refresh(): void {
    const position = this.position;
    for (const listener of this.listeners) listener(position);
  }

  go(n: number, stop = 0): void {
    const target = Math.min(Math.max(1, Math.round(n)), this.model.size);
    this.pinned = null;
    this.currentStop = Math.min(stop, this.model.stopsAfter(target));
    this.current = this.model.atStop(target, this.currentStop);
    this.refresh();
  }
  // One step of the page: an event, or a step of the program behind it.
  forward(count = 1): void {
    let [n, stop] = [this.n, this.currentStop];
    for (let i = 0; i < count; ++i) {
      if (stop < this.model.stopsAfter(n)) ++stop;
      else if (n < this.model.steps.last) [n, stop] = [this.model.steps.after(n), 0];
      else break;
    }
    this.go(n, stop);
  }
  back(): void {
    if (this.currentStop > 0) return this.go(this.n, this.currentStop - 1);
    const before = this.model.steps.before(this.n);
    this.go(before, before < this.n ? this.model.stopsAfter(before) : 0);
  }
  get isAtEnd(): boolean {
    return this.n >= this.model.steps.last && this.currentStop >= this.model.stopsAfter(this.n);
  }
  goIf(n: number | null): void {
    if (n !== null) this.go(n);
  }
  // Moves by the user: stop playback.
  jump(n: number | null): void {
    this.pause();
    this.goIf(n);
  }
  step(direction: 1 | -1): void {
    this.pause();
    if (direction > 0) this.forward();
    else this.back();
  }
  select(id: number): void {
    this.pinned = id;
    this.refresh();
  }
  unpin(): void {
    if (this.pinned === null) return;
    this.pinned = null;
    this.refresh();
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }
  play(): void {
    if (this.isPlaying) return;
    if (this.isAtEnd) this.go(this.model.steps.first);
    this.owed = 0;
    this.last = performance.now();
    this.frame = requestAnimationFrame(this.tick);
    for (const listener of this.playListeners) listener();
  }
  pause(): void {
    if (!this.isPlaying) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    for (const listener of this.playListeners) listener();
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    for (const listener of this.playListeners) listener();
  }
  changeSpeed(by: number): void {
    const at = kSpeeds.findIndex((speed) => speed >= this.speed);
    this.setSpeed(kSpeeds[Math.min(Math.max(0, (at < 0 ? kSpeeds.length - 1 : at) + by), kSpeeds.length - 1)] ?? 4);
  }

  private readonly tick = (now: number): void => {
    // Catches up at most 250 ms, so that a page that was hidden does not race when it is visible again.
    this.owed += (Math.min(now - this.last, 250) / 1000) * this.speed;
    this.last = now;
    this.frame = requestAnimationFrame(this.tick);
    const steps = Math.floor(this.owed);
    if (steps < 1) return; // negative if the frame began before play() was called
    this.owed -= steps;
    this.forward(steps);
    if (this.isAtEnd) this.pause();
  };
}
