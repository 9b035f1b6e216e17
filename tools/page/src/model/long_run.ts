// What a page of a long run has packed: the lines of the trace and the reasons behind the first ones.
import type { Reason } from './data';
import { eventOfGap, withGaps, type Gap } from './folds';
import type { List } from './list';
import { Packed } from './packed';
import { isProgramStep } from './program_steps';
import { firstWhere, lastBefore } from './search';
import type { TraceEvent } from './types';

export interface Lists {
  lines: List<TraceEvent>;
  events: List<TraceEvent>;
  gaps: TraceEvent[];
}

export interface LongRun {
  lists: ((told: TraceEvent[], gaps: Gap[]) => Lists) | null; // null: those told are all
  reason(id: number): Reason | null;
}

// `textOf`: what is packed under this name; '': nothing.
export function longRun(textOf: (name: string) => string): LongRun {
  const packed = (name: string): Packed | null => (textOf(name) ? new Packed(textOf(name)) : null);
  const lines = packed('more-trace');
  let reasons: Packed | null | undefined;
  let sentences: Packed | null = null;
  return {
    lists: lines && ((told, gaps) => listsOf(told, lines, gaps)),
    reason: (id) => {
      if (reasons === undefined) [reasons, sentences] = [packed('reasons'), packed('sentences')];
      return reasons && sentences && reasonOf(id, reasons, sentences);
    },
  };
}

// Reasons are in the order of their callbacks. A sentence is told by its number, those behind it by how far they are from
// the one before: those back by odd numbers.
function reasonOf(id: number, reasons: Packed, sentences: Packed): Reason | null {
  const at = firstWhere(reasons.length, (i) => reasons.first(i) >= id);
  if (at === reasons.length || reasons.first(at) !== id) return null;
  const packed = reasons.value(at) as { id: number; name: string; begin: number; sentences: number[] };
  let number = 0;
  return {
    ...packed,
    sentences: packed.sentences.map((code, i) => {
      number += i === 0 || code % 2 === 0 ? code / (i ? 2 : 1) : -(code + 1) / 2;
      return sentences.value(number) as Reason['sentences'][number];
    }),
  };
}

// As an array of all lines would be, but a line is made when it is asked for.
function listsOf(told: TraceEvent[], packed: Packed, gaps: Gap[]): Lists {
  const first = withGaps(told, gaps);
  const firstEvents = first.filter((line) => !isProgramStep(line));
  const gapEvents = firstEvents.filter(({ ev }) => ev === 'gap');
  const most = packed.length + gaps.length - gapEvents.length;
  const sources = new Int32Array(most); // by line: where it is packed; before 0: the gap that it is
  const lineOf = new Int32Array(most); // by event
  let lines = 0;
  let events = 0;
  for (let i = 0; i < packed.length; ++i) {
    const seq = packed.first(i);
    for (let gap = gaps[gapEvents.length]; gap && gap.first <= seq; gap = gaps[gapEvents.length]) {
      lineOf[events++] = lines;
      sources[lines++] = -gapEvents.push({ ...eventOfGap(gap), number: gap.first, seq: firstEvents.length + events });
    }
    if (!isProgramStep({ ev: packed.kind(i) })) lineOf[events++] = lines;
    sources[lines++] = i;
  }
  const behind = (line: number): TraceEvent | undefined => {
    if (line >= lines) return undefined;
    const source = sources[line];
    if (source < 0) return gapEvents[-1 - source];
    const event = packed.object(source) as unknown as TraceEvent;
    if (gaps.length) {
      event.number = event.seq;
      event.seq = firstEvents.length + lastBefore(lineOf.subarray(0, events), line + 1) + 1;
    }
    return event;
  };
  return {
    lines: { length: first.length + lines, at: (i) => first[i] ?? behind(i - first.length) },
    events: { length: firstEvents.length + events, at: (i) => firstEvents[i] ?? behind(i < firstEvents.length + events ? lineOf[i - firstEvents.length] : lines) },
    gaps: gapEvents,
  };
}
