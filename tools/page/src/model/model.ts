// One run, with random access to the state at any event.
import { gatherCallbacks, type Callback, type Callbacks } from './callbacks';
import { Folds, placeOf } from './folds';
import { WorkLog, type Work } from './pool';
import { StateMachine, type State } from './state';
import { ProgramSteps } from './program_steps';
import { Steps } from './steps';
import { Listeners } from '../listeners';
import type { Run, TraceEvent } from './types';

// Relation of the focused callback to the event: its own, the next one, the last one.
export type Relation = 'event' | 'next' | 'last';
// Events whose id is not that of a callback.
const kOtherIds = new Set(['settle', 'rejection', 'rejection_handled']); // a promise's
// Events that lead to the next callback.
const kLeading = new Set(['poll', 'phase_enter', 'drain_begin', 'turn', 'wait', 'frame']);

export class Model {
  run!: Run;
  // The program is one of libuv's own functions, without Node.
  get isLibuvAlone(): boolean {
    return this.run.header.entry === 'main()';
  }
  // The program is a page in a browser.
  get isBrowser(): boolean {
    return this.run.header.entry === 'window';
  }
  callbacks!: Callbacks;
  states!: StateMachine;
  steps!: Steps;
  folds!: Folds;
  work!: readonly Work[]; // of the thread pool
  program!: ProgramSteps;
  private readonly entries = new Map<number, TraceEvent>(); // by entry: the event that put it into its queue
  private readonly folded = new Listeners();

  constructor(run: Run) {
    this.load(run);
  }

  // Takes another run in the place of this one: the playground has one with every key.
  load(run: Run): void {
    this.run = run;
    this.callbacks = gatherCallbacks(run.events);
    this.steps = new Steps(run.events);
    this.folds = new Folds(run.folds, this.steps.events);
    this.folds.onChange(() => this.folded.tell());
    this.entries.clear();
    for (const event of run.events) if (event.ev === 'enqueue' && event.entry) this.entries.set(event.entry, event);
    const log = new WorkLog(run.events);
    this.work = log.all;
    this.states = new StateMachine(run.events, log);
    this.program = new ProgramSteps(run.lines);
  }

  // Folds were opened or closed, of this run or of one that was loaded later.
  onFold(listener: () => void): void {
    this.folded.add(listener);
  }

  get size(): number {
    return this.run.events.length;
  }

  event(n: number): TraceEvent {
    const event = this.run.events[n - 1];
    if (!event) throw new RangeError(`no event ${n}`);
    return event;
  }

  // The event's number in the trace, and back: the event, or the gap that it is in.
  numberOf(n: number): number {
    return this.event(n).number ?? n;
  }
  placeOf(number: number): number {
    return this.run.gaps.length ? placeOf(this.run.events, this.run.gaps, number) : Math.min(number, this.size);
  }
  // Of a link to a number, and to a step of the program behind it. What is left out has no such steps.
  placeOfLink(number: number, stop: number): [n: number, stop: number] {
    const n = this.placeOf(number);
    return [n, this.numberOf(n) === number ? stop : 0];
  }
  get lastNumber(): number {
    return this.numberOf(this.size);
  }

  // The state directly after event n.
  at(n: number): State {
    return this.states.at(n);
  }

  // The state that the page shows at event n: after all events of its step.
  atStep(n: number): State {
    return { ...this.states.at(this.steps.endOf(n)), n, event: this.event(n) };
  }

  // How many of the program's steps follow event n before the next step of the page.
  stopsAfter(n: number): number {
    const next = this.steps.after(n);
    return this.program.stopsBetween(n, next > n ? next : this.size + 1);
  }

  // The same at the `stop`th of them, from 1; 0: at the event itself.
  atStop(n: number, stop: number): State {
    const step = stop > 0 ? this.program.stop(n, stop) : null;
    if (!step) return this.atStep(n);
    return { ...this.states.at(Math.max(this.steps.endOf(n), step.seq)), n, event: this.event(n) };
  }

  callback(id: number): Callback | undefined {
    return this.callbacks.byId.get(id);
  }

  // The enqueue of a dequeue's entry, which may have more fields.
  enqueueOf(event: TraceEvent): TraceEvent {
    return this.entries.get(event.entry ?? 0) ?? event;
  }

  // The first callback_begin after event n; null: none.
  nextCallback(n: number): number | null {
    const list = this.callbacks.inOrder;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle]?.begin ?? 0) <= n) low = middle + 1;
      else high = middle;
    }
    return list[low]?.begin ?? null;
  }

  previousCallback(n: number): number | null {
    const list = this.callbacks.inOrder;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle]?.begin ?? 0) < n) low = middle + 1;
      else high = middle;
    }
    return list[low - 1]?.begin ?? null;
  }

  // The end of the innermost running callback; if none is running, the next callback.
  stepOver(n: number): number | null {
    const running = this.at(n).stack;
    const innermost = running.length ? this.callback(running[running.length - 1] ?? 0) : undefined;
    return innermost?.end && innermost.end > n ? innermost.end : this.nextCallback(n);
  }

  // The callback to show for event n: its own, or the innermost running one; otherwise the next one in this turn, or
  // the last one.
  focus(n: number): { id: number; relation: Relation } {
    const event = this.event(n);
    if (event.id !== undefined && !kOtherIds.has(event.ev)) return { id: event.id, relation: 'event' };
    const stack = this.at(n).stack;
    const running = stack[stack.length - 1];
    if (running) return { id: running, relation: 'event' };
    const next = this.nextCallback(n);
    // A browser sleeps between two turns.
    const turn = event.ev === 'wait' ? event.turn + 1 : event.turn;
    if (kLeading.has(event.ev) && next && this.event(next).turn === turn)
      return { id: this.event(next).id ?? 0, relation: 'next' };
    const last = this.previousCallback(n);
    return last ? { id: this.event(last).id ?? 0, relation: 'last' } : { id: 0, relation: 'event' };
  }

  // The last event at or before true time t.
  eventAt(t: number): number {
    const events = this.run.events;
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((events[middle]?.t ?? 0) <= t) low = middle + 1;
      else high = middle;
    }
    return Math.max(1, low);
  }

  // The first event at or after true time t; size + 1: none.
  firstAt(t: number): number {
    const events = this.run.events;
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((events[middle]?.t ?? 0) < t) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }
}
