// One run, with random access to the state at any event.
import { CallbackLog, type Callback, type Callbacks } from './callbacks';
import { Folds, placeOf } from './folds';
import { WorkLog, type Work } from './pool';
import { StateMachine, type State } from './state';
import { isProgramStep, ProgramSteps } from './program_steps';
import { firstWhere } from './search';
import { isAboutQueues, Steps } from './steps';
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
  marked!: number[]; // events that the timeline shows by themselves
  private readonly entries = new Map<number, number>(); // by entry: the event that put it into its queue
  private readonly folded = new Listeners();

  constructor(run: Run) {
    this.load(run);
  }

  // Takes another run in the place of this one: the playground has one with every key.
  load(run: Run): void {
    this.run = run;
    const callbacks = new CallbackLog();
    const steps = new Steps(run.events);
    const log = new WorkLog();
    const states = new StateMachine(run.events, log);
    const program = new ProgramSteps(run.lines, run.hasLines);
    this.entries.clear();
    this.marked = [];
    // All in one go: of a long run the lines are made for it, and not kept.
    for (let i = 0; i < run.lines.length; ++i) {
      const line = run.lines.at(i) as TraceEvent;
      program.add(line);
      if (isProgramStep(line)) continue;
      callbacks.add(line);
      steps.add(line);
      log.add(line);
      states.add(line);
      // The timeline has callbacks from elsewhere; of turns it needs the first.
      if (line.id === undefined ? !isAboutQueues(line) && (line.turn < 2 || line.ev !== 'turn') : line.ev === 'ready')
        this.marked.push(line.seq);
      if (line.ev === 'enqueue' && line.entry) this.entries.set(line.entry, line.seq);
    }
    this.callbacks = callbacks;
    this.steps = steps.finish();
    this.work = log.all;
    this.states = states;
    this.program = program;
    this.folds = new Folds(run.folds, this.steps.events);
    this.folds.onChange(() => this.folded.tell());
  }

  // Folds were opened or closed, of this run or of one that was loaded later.
  onFold(listener: () => void): void {
    this.folded.add(listener);
  }

  get size(): number {
    return this.run.events.length;
  }

  event(n: number): TraceEvent {
    const event = n > 0 ? this.run.events.at(n - 1) : undefined;
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
    return this.event(this.entries.get(event.entry ?? 0) ?? event.seq);
  }

  // The first callback_begin after event n; null: none.
  nextCallback(n: number): number | null {
    const list = this.callbacks.inOrder;
    return list[firstWhere(list.length, (i) => (list[i]?.begin ?? 0) > n)]?.begin ?? null;
  }

  previousCallback(n: number): number | null {
    const list = this.callbacks.inOrder;
    return list[firstWhere(list.length, (i) => (list[i]?.begin ?? 0) >= n) - 1]?.begin ?? null;
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
    return Math.max(1, firstWhere(this.size, (i) => this.event(i + 1).t > t));
  }
}
