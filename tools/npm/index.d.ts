/** Keeps the thread busy for this many milliseconds; in loopsim, the simulated machine's. */
export function cpu(milliseconds: number): void;

/** An event of a trace: docs/trace-format.md. Times are nanoseconds. */
export interface Event {
  seq: number;
  t: number;
  loop: number;
  turn: number;
  phase: string;
  ev: string;
  api?: string;
  id?: number;
  name?: string;
  by?: number;
  text?: string;
  line?: number;
  column?: number;
  [key: string]: unknown;
}

export interface Options {
  /** A version of Node: 'node-24' (the default), 'node-10' ... */
  runtime?: string;
  /** A machine's name, or an object as in a scenario. */
  machine?: string | object;
  /** A share from 0 to 1 of the cores that others take. */
  load?: number | object;
  cores?: number;
  /** Threads of the pool. */
  threads?: number;
  /** 0 to 2^64 - 1; from 2^53 on a text or a BigInt. */
  seed?: number | bigint | string;
  /** Values of any place of the scenario, as --set has them. */
  set?: Record<string, unknown>;
  /** The name of the program's file. */
  file?: string;
  /** Further files beside it, by their paths: modules, data. */
  files?: Record<string, string>;
  /** The folder on the disk that the program stands in, in place of `files`: it finds the modules there, and node_modules. */
  root?: string;
  /** The source is an ES module. */
  module?: boolean;
}

export interface Run {
  /** What the trace says of the run. The seed is a text: it has 64 bits. */
  header: Record<string, unknown>;
  events: Event[];
  /** The lines on standard output. */
  output: string[];
  /** The lines on standard error. */
  errors: string[];
  /** null: the run ended at a limit. */
  exitCode: number | null;
  /** The limit at which the run ended: 'time', 'callbacks', 'steps', 'memory' ...; null: none. */
  limit: string | null;
  /** When it ended, in nanoseconds. */
  time: number;
  /** The same hash is the same run. */
  hash: string | null;
}

/**
 * Runs a program in JavaScript, or a scenario. A function is the program that calls it. Rejects with an error whose message says what
 * is wrong with a scenario, or with the syntax of the program, and where.
 */
export function simulate(source: string | object | (() => unknown), options?: Options & { steps?: boolean }): Promise<Run>;

export interface Pair {
  first: string;
  second: string;
  verdict: 'race' | 'always' | 'guaranteed' | 'apart';
  [key: string]: unknown;
}
export interface Orders {
  runs: number;
  /** `seed`: of a run with this order, for simulate(). */
  orders: { lines: string[]; share: number; seed: string; [key: string]: unknown }[];
  pairs: Pair[];
  [key: string]: unknown;
}

export interface OrdersOptions {
  /** How many runs, each with a seed of its own; 1000. */
  runs?: number;
  /** Whose order: the lines of output, or the callbacks. */
  of?: 'output' | 'callbacks';
  /** Judge only these pairs of callbacks, by their names: ['later', 'soon']; 'later#2' is the second time that it begins. */
  pairs?: [string, string][];
}

/** Which orders the program has on a real machine, and which are guaranteed. */
export function orders(source: string | object | (() => unknown), options?: Options & OrdersOptions): Promise<Orders>;

/** The callbacks with these names begin in this order; others may run between them. */
export function expectOrder(run: Run, names: string[]): void;
/** The program prints these lines, and no others. */
export function expectOutput(run: Run, lines: string[]): void;
/** `first` is before `second` in all runs, by rule. */
export function expectGuaranteed(study: Orders, first: string, second: string): void;
