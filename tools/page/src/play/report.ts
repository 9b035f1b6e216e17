// What `diff` and `orders` answer in JSON, as far as it is shown here.
export interface DiffRow {
  row: number;
  ev: string;
  seq: number;
  t: number;
  turn: number;
  phase: string;
  api?: string;
  name?: string;
  text?: string;
  code?: number;
}

export interface DiffReason {
  name: string;
  a: string;
  b: string;
  meaning?: string;
}

export interface Diff {
  loopsim_diff: number;
  identical: boolean;
  a: { name: string };
  b: { name: string };
  first_difference: { row: number } | null;
  rows: { mark: string; a: DiffRow | null; b: DiffRow | null }[];
  reason?: { first: DiffReason[]; gave_up?: boolean } | null;
}

export interface Orders {
  loopsim_orders: number;
  random: boolean;
  runs: number;
  orders: {
    lines?: string[];
    callbacks?: string[];
    runs: number;
    share: number;
    low: number;
    high: number;
    seed: number;
  }[];
}

// Null if it is not the report of that name: the engine has refused then, and says why on its standard error.
export function readReport<T>(text: string, kind: 'loopsim_diff' | 'loopsim_orders'): T | null {
  try {
    // Seeds of 64 bits do not fit into a number: they are kept as the text that stands there.
    const data = JSON.parse(text.replace(/"seed":\s*(\d{16,})/g, '"seed": "$1"')) as Record<string, unknown>;
    return data[kind] === 1 ? (data as T) : null;
  } catch {
    return null;
  }
}
