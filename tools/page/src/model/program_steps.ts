// The program's steps (`loopsim run --steps`): which variables are in scope at a moment, and what the promises hold.
//
// Steps have no numbers of their own: they stand between numbered events. A moment is an index into all lines of the
// trace. Some steps are stops of the page, such as an assignment; the others, such as the entry of a callback's scope,
// belong to the line before them.
//
// A JavaScript program tells its lines (`line`). Then these are the stops, and the ends of functions that have been called:
// what variables got before a line belongs to it, as in a debugger that has reached it.
import type { List } from './list';
import { firstWhere, lastBefore } from './search';
import type { TraceEvent } from './types';

const kKinds = new Set(['scope', 'assign', 'condition', 'promise', 'line', 'leave', 'steps_end']);
export const isProgramStep = (event: Pick<TraceEvent, 'ev'>): boolean => kKinds.has(event.ev);

export interface Variable {
  name: string;
  step: TraceEvent; // the last one that gave it a value
  isChanged: boolean; // at this moment
}
export interface VariableScope {
  id: number;
  kind: 'here' | 'around' | 'global';
  name: string; // of the function; may be empty
  variables: Variable[];
}
export interface PromiseAt {
  id: number;
  name: string;
  state: 'pending' | 'fulfilled' | 'rejected';
  step: TraceEvent | null; // with the value
  isChanged: boolean;
  isUnhandled: boolean;
}

// A stack of calls, innermost first; shared between moments.
interface Frame {
  depth: number;
  scope: number;
  name: string;
  below: Frame | null;
  at: TraceEvent | null; // where it is: its last line
  end: TraceEvent | null; // it ends here
  callback: number; // that it runs in
}
export interface FrameAt {
  name: string;
  callback: number;
  at: TraceEvent | null;
  end: TraceEvent | null;
  variables: Variable[]; // its own
  around: VariableScope[]; // of the innermost one: what else it sees
}
interface PromiseMoment {
  at: number;
  state: PromiseAt['state'];
  step: TraceEvent | null;
}
interface Scope {
  outer: number;
  name: string;
  variables: Map<string, number[]>; // by name: the moments at which it got a value
}

export class ProgramSteps {
  private readonly moments: number[] = []; // by event, from 0
  private readonly stops: number[] = []; // moments
  private readonly isPart: Uint8Array; // by moment: 1 for a step that is shown with the line before
  private readonly scopes = new Map<number, Scope>([[0, { outer: 0, name: '', variables: new Map() }]]);
  private readonly frames: { at: number; frame: Frame | null }[] = [];
  private readonly promises = new Map<number, { name: string; states: PromiseMoment[] }>();
  private readonly promiseOrder: { at: number; id: number }[] = []; // when each became known
  private readonly unhandled = new Map<number, number[]>(); // by promise: moments, those of its handling negative
  end: TraceEvent | null = null; // says that further steps are not in the trace

  // The state behind the lines so far.
  private added = 0;
  private readonly outside: (Frame | null)[] = []; // by running callback: the frame around it
  private readonly callbacks: number[] = [0];
  private frame: Frame | null = null;
  private place = '';
  private gapEnd = 0; // in the trace

  constructor(
    private readonly lines: List<TraceEvent>,
    readonly hasLines: boolean,
  ) {
    this.isPart = new Uint8Array(lines.length);
  }

  add(line: TraceEvent): void {
    const at = this.added++;
    const { outside, callbacks } = this;
    const here = `${line.line ?? 0}:${line.column ?? 0}`;
    if (!isProgramStep(line)) {
      this.moments.push(at);
      this.gapEnd = line.gap?.last ?? this.gapEnd;
      if (this.frame?.end) this.enter(at, this.frame.below); // what comes next is no longer within it
      if (line.ev === 'callback_begin') outside.push(this.frame), callbacks.push(line.id ?? 0);
      if (line.ev === 'callback_end') this.enter(at, outside.pop() ?? null), callbacks.pop();
      if (line.ev === 'settle') this.note(line.id ?? 0, line, at, null);
      if (line.ev === 'rejection') add(this.unhandled, line.id ?? 0, at);
      if (line.ev === 'rejection_handled') add(this.unhandled, line.id ?? 0, -at);
      if (line.line) this.place = here;
      return;
    }
    const running = outside[outside.length - 1] ?? null;
    const callback = callbacks[callbacks.length - 1] ?? 0;
    if (line.ev === 'scope') this.enter(at, entered(this.frame, line, callback));
    if (line.ev === 'line' && this.frame) this.enter(at, { ...this.frame, at: line, end: null });
    if (line.ev === 'leave') this.enter(at, left(this.frame, line));
    if (line.ev === 'scope') this.describe(line);
    if (line.ev === 'assign') this.assign(line, at);
    if (line.ev === 'promise') this.note(line.id ?? 0, line, at, line.as === 'pending' ? null : line);
    if (line.ev === 'steps_end') this.end = line;
    // What a gap has left behind has no place of its own.
    const { frame } = this;
    const isOfGap = (line.number ?? line.seq) <= this.gapEnd;
    if (isOfGap) this.isPart[at] = 1;
    else if (this.hasLines ? isLineStop(line, frame, running) : isStop(line, here === this.place, isInner(frame, running)))
      this.stops.push(at);
    else if (!this.hasLines && !leadsOn(line)) this.isPart[at] = 1;
    if (line.line && line.ev !== 'scope') this.place = here;
  }

  get hasSteps(): boolean {
    return this.lines.length > this.moments.length;
  }

  // The number of stops between two events; an event behind the last one stands for the end.
  stopsBetween(n: number, next: number): number {
    return this.before(next) - this.before(n);
  }

  // The `which`th stop behind event n, from 1.
  stop(n: number, which: number): TraceEvent | null {
    const at = which > 0 ? this.stops[this.before(n) + which - 1] : undefined;
    return at === undefined ? null : (this.lines.at(at) ?? null);
  }

  // The moment of an event, or of a stop behind it, with the steps that belong to it.
  moment(n: number, stop: number): number {
    let at = this.first(n, stop);
    while (this.isPart[at + 1] === 1) ++at;
    return at;
  }

  // The scopes that the running code sees, innermost first, and the global variables.
  variables(n: number, stop: number): VariableScope[] {
    const [from, at] = [this.changedFrom(n, stop), this.moment(n, stop)];
    const result: VariableScope[] = [];
    const frame = this.frames[lastBy(this.frames, at)]?.frame ?? null;
    for (let scope = frame?.scope ?? 0; scope !== 0; scope = this.scopes.get(scope)?.outer ?? 0)
      result.push(this.visible(scope, scope === frame?.scope ? 'here' : 'around', from, at));
    result.push(this.visible(0, 'global', from, at));
    return result.filter(({ variables }) => variables.length > 0);
  }

  // The calls in progress, innermost first.
  framesAt(n: number, stop: number): FrameAt[] {
    const [from, at] = [this.changedFrom(n, stop), this.moment(n, stop)];
    const result: FrameAt[] = [];
    for (let frame = this.frames[lastBy(this.frames, at)]?.frame ?? null; frame; frame = frame.below) {
      const { name, callback, end } = frame;
      const { variables } = this.visible(frame.scope, 'here', from, at);
      result.push({ name, callback, at: frame.at, end, variables, around: [] });
    }
    const stack = new Set(this.scopesOf(this.frames[lastBy(this.frames, at)]?.frame ?? null));
    for (const scope of this.around(n, stop)) if (!stack.has(scope.id)) result[0]?.around.push(scope);
    return result;
  }

  private around(n: number, stop: number): VariableScope[] {
    return this.variables(n, stop).filter(({ kind }) => kind === 'around');
  }
  private scopesOf(frame: Frame | null): number[] {
    return frame ? [frame.scope, ...this.scopesOf(frame.below)] : [];
  }

  // The promises that are known, in the order in which they became so; of more than `most`, the last ones. A run may
  // have very many.
  promisesAt(n: number, stop: number, most = Infinity): { list: PromiseAt[]; more: number } {
    const known = lastBy(this.promiseOrder, this.moment(n, stop)) + 1;
    const more = Math.max(0, known - most);
    const list = this.promiseOrder.slice(more, known).flatMap(({ id }) => this.promiseAt(id, n, stop) ?? []);
    return { list, more };
  }

  promiseAt(id: number, n: number, stop: number): PromiseAt | null {
    const [from, at] = [this.first(n, stop), this.moment(n, stop)];
    const promise = this.promises.get(id);
    const last = promise?.states[lastBy(promise.states, at)];
    if (!promise || !last) return null;
    const unhandled = this.unhandled.get(id)?.filter((moment) => Math.abs(moment) <= at) ?? [];
    return {
      id,
      name: promise.name,
      state: last.state,
      step: last.step,
      isChanged: last.at >= from,
      isUnhandled: (unhandled[unhandled.length - 1] ?? -1) > 0,
    };
  }

  private before(n: number): number {
    return lastBefore(this.stops, this.moments[n - 1] ?? this.lines.length) + 1;
  }
  private first(n: number, stop: number): number {
    const own = this.moments[n - 1] ?? 0;
    return stop > 0 ? (this.stops[this.before(n) + stop - 1] ?? own) : own;
  }

  // The moment from which on what has changed is new. Of lines: all since the event or stop before.
  private changedFrom(n: number, stop: number): number {
    const first = this.first(n, stop);
    if (!this.hasLines) return first;
    const event = this.moments[lastBefore(this.moments, first)] ?? -1;
    const other = this.stops[lastBefore(this.stops, first)] ?? -1;
    return Math.max(event, other) + 1;
  }

  private visible(id: number, kind: VariableScope['kind'], from: number, at: number): VariableScope {
    const scope = this.scopes.get(id);
    const variables: Variable[] = [];
    for (const [name, moments] of scope?.variables ?? []) {
      const moment = moments[lastBefore(moments, at + 1)];
      const step = moment === undefined ? undefined : this.lines.at(moment);
      if (step && step.as !== 'gone') variables.push({ name, step, isChanged: (moment ?? 0) >= from });
    }
    return { id, kind, name: scope?.name ?? '', variables };
  }

  private enter(at: number, frame: Frame | null): void {
    if (frame !== this.frame) this.frames.push({ at, frame });
    this.frame = frame;
  }
  private describe({ scope = 0, outer = 0, name = '' }: TraceEvent): void {
    if (scope && !this.scopes.has(scope)) this.scopes.set(scope, { outer, name, variables: new Map() });
  }
  private assign(line: TraceEvent, at: number): void {
    const scope = this.scopes.get(line.scope ?? 0);
    if (scope) add(scope.variables, line.name ?? '', at);
    // A promise that a variable is given is known from here on.
    if (line.promise && !this.promises.has(line.promise))
      this.note(line.promise, { ...line, as: 'pending' }, at, null);
  }
  private note(id: number, { name, as }: TraceEvent, at: number, step: TraceEvent | null): void {
    const state = (as ?? 'pending') as PromiseAt['state'];
    const known = this.promises.get(id);
    if (known) known.states.push({ at, state, step });
    else {
      this.promises.set(id, { name: name ?? `#${id}`, states: [{ at, state, step }] });
      this.promiseOrder.push({ at, id });
    }
  }
}

function add<K>(map: Map<K, number[]>, key: K, moment: number): void {
  const list = map.get(key);
  if (list) list.push(moment);
  else map.set(key, [moment]);
}

// The stack after a scope event: what was at its depth, or deeper, has ended.
function entered(frame: Frame | null, event: TraceEvent, callback: number): Frame {
  const { depth = 1, scope = 0, name = '' } = event;
  let below = frame;
  while (below && below.depth > depth) below = below.below;
  if (event.as === 'back' && below?.depth === depth && below.scope === scope && below.at) return below;
  while (below && below.depth >= depth) below = below.below;
  return { depth, scope, name, below, at: null, end: null, callback };
}

function left(frame: Frame | null, event: TraceEvent): Frame | null {
  let ending = frame;
  while (ending && ending.depth > (event.depth ?? 1)) ending = ending.below;
  return ending && { ...ending, end: event };
}

const isInner = (frame: Frame | null, running: Frame | null): boolean => (frame?.below ?? null) !== running;

function isLineStop(line: TraceEvent, frame: Frame | null, running: Frame | null): boolean {
  return line.ev === 'line' || (line.ev === 'leave' && Boolean(frame?.end) && isInner(frame, running));
}

// What gives a variable its value in the same step as the line before is no stop: `as` of a setTimeout, which has been
// told. Nor are a callback's parameters, which it begins with.
function isStop(line: TraceEvent, isSameStep: boolean, isInnerCall: boolean): boolean {
  if (line.ev === 'condition') return true;
  if (line.ev === 'scope') return line.as === 'call' && isInnerCall && Boolean(line.name);
  if (line.ev !== 'assign') return false;
  return line.as === 'result' ? !isSameStep : line.as !== 'parameter';
}

// The way back from a call belongs to what comes after it: what the function did last is shown within it.
const leadsOn = ({ ev, as }: TraceEvent): boolean => ev === 'scope' && (as === 'back' || as === 'round');

const lastBy = (list: { at: number }[], at: number): number => firstWhere(list.length, (i) => (list[i]?.at ?? 0) > at) - 1;
