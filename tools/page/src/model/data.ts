// Parses the data that the program embedded in the page.
import type { Language } from '../i18n';
import { placeOf, withGaps, type Fold, type Gap } from './folds';
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

interface ExplanationData {
  rules: Rule[];
  callbacks: { id: number; name: string; begin: number; sentences: [number, number, ...Argument[]][] }[];
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

export function readExplanations(text: string, place: (event: number) => number): Map<number, Explanation> {
  const data = JSON.parse(text) as ExplanationData;
  const map = new Map<number, Explanation>();
  for (const one of data.callbacks) {
    const sentences: Sentence[] = [];
    for (const [rule, event, ...args] of one.sentences) {
      const known = data.rules[rule];
      if (known) sentences.push({ rule: known, event: event && place(event), args });
    }
    map.set(one.id, { id: one.id, name: one.name, begin: one.begin && place(one.begin), sentences });
  }
  return map;
}

function racesBySecond(pairs: [number, number][]): Map<number, number[]> {
  const map = new Map<number, number[]>();
  for (const [first, second] of pairs) map.set(second, [...(map.get(second) ?? []), first]);
  return map;
}

export function readRun(trace: string, run: string, explanations: () => string): Run {
  const { header, lines: told } = readTrace(trace);
  const data = JSON.parse(run) as RunData;
  const lines = withGaps(told, data.gaps);
  const events = lines.filter((line) => !isProgramStep(line));
  const gaps = events.filter((event) => event.ev === 'gap');
  const place = (event: number): number => (gaps.length ? placeOf(events, gaps, event) : event);
  let known: Map<number, Explanation> | null = null;
  return {
    header,
    events,
    lines,
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
    explanations: () => (known ??= readExplanations(explanations(), place)),
  };
}
