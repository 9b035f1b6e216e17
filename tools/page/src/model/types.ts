// The trace as canonical JSON lines (docs/trace-format.md), and the other data in the page.
import type { Language } from '../i18n';

import type { Fold, Gap } from './folds';
import type { List } from './list';

export interface TraceEvent {
  seq: number; // the place in the page
  number?: number; // in the trace, if the page leaves out events
  t: number; // true time, ns
  loop: number; // the loop's time, ms
  turn: number;
  phase: Phase;
  ev: string;
  api?: string;
  id?: number;
  name?: string;
  by?: number | string; // a callback; a word in `caught`
  as?: string;
  due?: number;
  delay?: number;
  handle?: number;
  op?: string;
  queue?: string;
  entry?: number; // number of an entry without a callback
  line?: number;
  column?: number;
  late?: number;
  why?: string;
  behind?: number;
  how?: string;
  at?: number;
  started?: number;
  thread?: number;
  rule?: string;
  timeout?: number;
  timer?: number;
  blocked?: number;
  woke?: string;
  served?: number;
  ticks?: number;
  microtasks?: number;
  text?: string;
  what?: string;
  asked?: number;
  from?: number;
  took?: number;
  bytes?: number;
  delta?: number;
  client?: string;
  for?: number | string; // how long; in `wait`: for what
  limit?: string;
  value?: number | string; // of a limit; of a variable or promise
  code?: number;
  gap?: Gap; // of the page's own event `gap`
  scope?: number; // of program steps, from here on
  outer?: number;
  depth?: number;
  type?: string;
  cut?: boolean;
  promise?: number;
  result?: number; // of a function of libuv
  begins?: boolean; // uv_run: what it returns is told once it has
  holds?: boolean;
  most?: number;
  file?: string; // a module of a JavaScript program; none: the main script
  until?: number; // of a browser's `wait`
  slept?: number;
  dropped?: number; // of its `frame`
}

export type Phase =
  | 'main'
  | 'timers'
  | 'pending'
  | 'idle'
  | 'prepare'
  | 'poll'
  | 'check'
  | 'closing'
  | 'task'
  | 'rendering'
  | 'idlePeriod'
  | 'beforeExit'
  | 'exit';

export interface Header {
  scenario: string;
  program: string;
  runtime: string;
  libuv: string;
  entry: string;
  machine: string;
  threadpool: number;
  seed: string;
  clock_phase: number;
  params: Record<string, unknown>;
}

// A step or a body of the document, and its lines in the script. Columns are in bytes.
export interface Part {
  kind: 'step' | 'body';
  name: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  first: number;
  last: number;
}

export interface Summary {
  reason: string;
  limit: string;
  exit: number;
  end: number;
  poll: number;
  turns: number;
  callbacks: number;
  events: number;
  hash: string;
}

export interface Rule {
  key: string;
  en: string;
  zh: string;
  source: string;
}

export type Argument = string | [string, number];

export interface Sentence {
  rule: Rule;
  event: number;
  args: Argument[];
}

export interface Explanation {
  id: number;
  name: string;
  begin: number;
  sentences: Sentence[];
}

export interface Run {
  header: Header;
  events: List<TraceEvent>; // those with a number of their own
  lines: List<TraceEvent>; // these and the program's steps between them (program_steps.ts)
  hasLines: boolean; // some of them are lines of a JavaScript program
  language: Language | null; // the first one that the run asks for
  file: string;
  document: string;
  script: string;
  isScript: boolean; // the program is JavaScript: places in the trace are in `script`
  parts: Part[];
  folds: Fold[];
  gaps: TraceEvent[]; // in place of what is left out
  wholeLists: boolean; // timers have a list for each length in whole milliseconds; else for each exact length
  races: Map<number, number[]>; // by the second callback: those whose order with it is not certain
  help: Record<string, [string, Record<string, string>]>;
  summary: Summary;
  explanations: () => Map<number, Explanation>; // by callback: those that are not packed; parsed on first use
  explanation: (callback: number) => Explanation | undefined;
}
