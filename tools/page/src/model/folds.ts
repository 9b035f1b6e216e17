// Long runs: repetitions that the lists fold, and those of which the page has only the first and the last.
//
// The program tells both (sim/page/html_writer.cpp). A page that leaves out events numbers those that it has anew: `seq`
// is the place in the page, `number` the event's own number in the trace. In place of what is left out stands an event of
// the page's own, `gap`.
import type { List } from './list';
import { isProgramStep } from './program_steps';
import { firstWhere, lastBefore } from './search';
import type { Phase, TraceEvent } from './types';

// What is left out between two events. Numbers are the trace's.
export interface Gap {
  first: number;
  last: number;
  t: number;
  to: number;
  loop: number;
  turn: number;
  phase: Phase;
  events: number;
  repetitions: number;
  callbacks: number;
  lines: number; // of output
  lost: number; // callbacks that wait at its end, and are too many to be told
  gone: [number, number][]; // ranges of callbacks that waited at its begin, and no longer do
  goneEntries: [number, number][];
}

// Repetitions between the first one and the last one.
export interface Fold {
  first: number; // places
  last: number;
  from: number; // ns
  to: number;
  count: number;
  turns: number; // of one repetition; 0: it is a part of a turn
  callbacks: number; // of one repetition
  drain: boolean; // it is one of ticks and microtasks
  lines: number;
  exceptions: number;
  late: [number, number]; // ns
  what: number[]; // the first different callbacks
  more: number; // different callbacks that are not in `what`
}

export function eventOfGap(gap: Gap): TraceEvent {
  const { first, t, loop, turn, phase } = gap;
  return { seq: first, t, loop, turn, phase, ev: 'gap', gap };
}

// Puts a gap's event before the first event behind the gap's begin, and numbers all of them. Steps of the program have
// the number and the place of the event before them; those that outlive a gap stand behind its event.
export function withGaps(lines: TraceEvent[], gaps: Gap[]): TraceEvent[] {
  if (!gaps.length) return lines;
  const all: TraceEvent[] = [];
  let place = 0;
  let next = 0;
  const add = (event: TraceEvent): void => {
    event.number = event.seq;
    event.seq = isProgramStep(event) ? place : ++place;
    all.push(event);
  };
  for (const event of lines) {
    for (let gap = gaps[next]; gap && gap.first <= event.seq; gap = gaps[++next]) add(eventOfGap(gap));
    add(event);
  }
  return all;
}

// The place of the event with this number, or of the gap that it is in.
export function placeOf(events: List<TraceEvent>, gaps: TraceEvent[], number: number): number {
  const numberAt = (i: number): number => events.at(i)?.number ?? events.at(i)?.seq ?? 0;
  const low = firstWhere(events.length, (i) => numberAt(i) > number);
  const last = low ? events.at(low - 1) : undefined;
  if (last && (last.number ?? last.seq) === number) return last.seq;
  const gap = gaps.find((one) => one.gap && one.gap.first <= number && number <= one.gap.last);
  return gap?.seq ?? Math.max(1, low);
}

const kClosedWidth = 6; // steps that a closed fold is as wide as

// A row of a list of steps: a step, or the head of a fold.
export type FoldedRow = { step: number } | { fold: Fold };

// A fold's part of the list and of the scale.
interface Part {
  fold: Fold;
  isOpen: boolean;
  begin: number; // indices of its steps
  end: number;
  row: number; // of its head
  x: number; // on the scale
  width: number;
}

export class Folds {
  private readonly open = new Set<Fold>();
  private readonly listeners: (() => void)[] = [];
  private parts: Part[] = []; // in order; folds do not overlap

  constructor(
    readonly all: Fold[],
    private readonly steps: ArrayLike<number>,
  ) {
    this.place();
  }

  isOpen(fold: Fold): boolean {
    return this.open.has(fold);
  }
  toggle(fold: Fold): void {
    if (!this.open.delete(fold)) this.open.add(fold);
    this.tell();
  }
  // Opens all, or closes all if all are open.
  toggleAll(): void {
    const opens = this.open.size < this.all.length;
    this.open.clear();
    if (opens) for (const fold of this.all) this.open.add(fold);
    this.tell();
  }
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  get closed(): Fold[] {
    return this.all.filter((fold) => !this.open.has(fold));
  }
  closedAt(n: number): Fold | undefined {
    const part = this.partBefore((one) => one.fold.first <= n);
    return part && !part.isOpen && n <= part.fold.last ? part.fold : undefined;
  }

  // ---- the list of steps
  get rowCount(): number {
    return this.rowOf(this.steps.length);
  }
  // Row of the step with this index, or of the closed fold in which it is.
  rowOf(index: number): number {
    const part = this.partBefore((one) => one.begin <= index);
    if (!part) return index;
    if (part.isOpen) return part.row + 1 + index - part.begin;
    return index < part.end ? part.row : part.row + 1 + index - part.end;
  }
  rowAt(row: number): FoldedRow {
    const part = this.partBefore((one) => one.row <= row);
    if (part?.row === row) return { fold: part.fold };
    const index = part ? row - part.row - 1 + (part.isOpen ? part.begin : part.end) : row;
    return { step: this.steps[index] ?? 1 };
  }

  // ---- the scale of steps, on which a closed fold is as wide as a few steps
  compress(n: number): number {
    const part = this.partBefore((one) => one.fold.first <= n);
    if (!part) return n;
    const { first, last } = part.fold;
    const length = last + 1 - first;
    return n <= last ? part.x + ((n - first) * part.width) / length : part.x + part.width + n - last - 1;
  }
  expand(x: number): number {
    const part = this.partBefore((one) => one.x <= x);
    if (!part) return x;
    const { first, last } = part.fold;
    const length = last + 1 - first;
    const within = x - part.x;
    return within < part.width ? first + (within * length) / part.width : last + 1 + within - part.width;
  }

  private partBefore(is: (part: Part) => boolean): Part | undefined {
    const { parts } = this;
    return parts[firstWhere(parts.length, (i) => !is(parts[i] as Part)) - 1];
  }

  private place(): void {
    let rows = 0; // rows of folds, less the steps that they hide
    let less = 0;
    this.parts = this.all.map((fold) => {
      const isOpen = this.open.has(fold);
      const begin = lastBefore(this.steps, fold.first) + 1;
      const end = lastBefore(this.steps, fold.last + 1) + 1;
      const length = fold.last + 1 - fold.first;
      const width = isOpen ? length : Math.min(kClosedWidth, length);
      const part = { fold, isOpen, begin, end, row: begin + rows, x: fold.first - less, width };
      rows += isOpen ? 1 : 1 - (end - begin);
      less += length - width;
      return part;
    });
  }

  private tell(): void {
    this.place();
    for (const listener of this.listeners) listener();
  }
}
