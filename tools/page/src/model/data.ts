// Parses the data that the program embedded in the page.
import type { Language } from '../i18n';
import { placeOf, withGaps, type Fold, type Gap } from './folds';
import type { Lists, LongRun } from './long_run';
import { isProgramStep } from './program_steps';
import type { Argument, Explanation, Header, Part, Rule, Run, Sentence, Summary, TraceEvent } from './types';

interface RunData {
  language?: Language; // the first language that the run asks for; without it, the browser's
  file: string;
  document: string;
  script: string;
  isScript?: boolean;
  wholeLists: boolean;
  races: [number, number][];
  folds: Fold[];
  gaps: Gap[];
  parts: ['step' | 'body', string, number, number, number, number, number, number][];
  events: Record<string, [string, Record<string, string>]>;
  summary: Summary;
}

export interface Reason {
  id: number;
  name: string;
  begin: number;
  sentences: [rule: number, event: number, ...args: Argument[]][];
}
interface ExplanationData {
  rules: Rule[];
  callbacks: Reason[];
}

export function readTrace(text: string): { header: Header; lines: TraceEvent[] } {
  const end = text.indexOf('\n');
  const first = text.slice(0, end);
  const header = JSON.parse(first) as Header;
  header.seed = /"seed":(\d+)/.exec(first)?.[1] ?? '0'; // 64 bits do not fit into a number
  // All lines at once: 100,000 calls of the parser would take three times as long.
  const lines = JSON.parse(
    '[' +
      text
        .slice(end + 1)
        .trimEnd()
        .replaceAll('\n', ',') +
      ']',
  ) as TraceEvent[];
  return { header, lines };
}

function readExplanation({ id, name, begin, sentences: told }: Reason, rules: Rule[], place: (event: number) => number): Explanation {
  const sentences: Sentence[] = [];
  for (const [number, event, ...args] of told) {
    const rule = rules[number];
    if (rule) sentences.push({ rule, event: event && place(event), args });
  }
  return { id, name, begin: begin && place(begin), sentences };
}

function racesBySecond(pairs: [number, number][]): Map<number, number[]> {
  const map = new Map<number, number[]>();
  for (const [first, second] of pairs) map.set(second, [...(map.get(second) ?? []), first]);
  return map;
}

function listsOf(told: TraceEvent[], gaps: Gap[]): Lists {
  const lines = withGaps(told, gaps);
  const events = lines.filter((line) => !isProgramStep(line));
  return { lines, events, gaps: events.filter(({ ev }) => ev === 'gap') };
}

export function readRun(trace: string, run: string, explanations: () => string, long?: LongRun): Run {
  const { header, lines: told } = readTrace(trace);
  const data = JSON.parse(run) as RunData;
  const { lines, events, gaps } = (long?.lists ?? listsOf)(told, data.gaps);
  const place = (event: number): number => (gaps.length ? placeOf(events, gaps, event) : event);
  let rules: Rule[] = [];
  let known: Map<number, Explanation> | null = null;
  const readExplanations = (): Map<number, Explanation> => {
    const reasons = JSON.parse(explanations()) as ExplanationData;
    rules = reasons.rules;
    return new Map(reasons.callbacks.map((one) => [one.id, readExplanation(one, rules, place)]));
  };
  return {
    header,
    events,
    lines,
    hasLines: told.some(({ ev }) => ev === 'line'), // then the first ones have some
    language: data.language ?? null,
    file: data.file,
    document: data.document,
    script: data.script,
    isScript: data.isScript ?? false,
    parts: data.parts.map(
      ([kind, name, line, column, endLine, endColumn, first, last]): Part => ({
        kind,
        name,
        line,
        column,
        endLine,
        endColumn,
        first,
        last,
      }),
    ),
    folds: data.folds.map((fold) => ({ ...fold, first: place(fold.first), last: placeOf(events, [], fold.last) })),
    gaps,
    wholeLists: data.wholeLists,
    races: racesBySecond(data.races),
    help: data.events,
    summary: data.summary,
    explanations: () => (known ??= readExplanations()),
    explanation: (id) => {
      const whole = (known ??= readExplanations()).get(id);
      const more = whole ? null : long?.reason(id);
      return more ? readExplanation(more, rules, place) : whole;
    },
  };
}
