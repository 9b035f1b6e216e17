// The rows of `loopsim sweep -f jsonl`, summed up point by point.
export type Row = Readonly<Record<string, unknown>>;

export interface Point {
  x: number;
  mean: number;
  lowest: number;
  highest: number;
}

const kMostCallbacks = 30;

// Nothing if it is no answer: the engine has refused then, and says why on its standard error.
export function readRows(text: string): Row[] {
  const rows: Row[] = [];
  for (const line of text.split('\n')) {
    if (!line) continue;
    try {
      const row: unknown = JSON.parse(line);
      if (typeof row === 'object' && row !== null && 'trace_hash' in row) rows.push(row as Row);
    } catch {
      return [];
    }
  }
  return rows;
}

// What can be plotted: how late each named callback was, then all of them. The first is what `loopsim sweep` sums up first.
export function metricsOf(rows: Row[]): string[] {
  const named = Object.keys(rows[0] ?? {}).filter((name) => name.endsWith('.lateness_mean'));
  return [...named.slice(0, kMostCallbacks), 'lateness_mean', 'lateness_max', 'finish_time'];
}

// By rising x. A run in which nothing could be measured has no figure, and is left out.
export function pointsOf(rows: Row[], column: string, metric: string): Point[] {
  const values = new Map<number, number[]>();
  for (const row of rows) {
    const [x, y] = [row[column], row[metric]];
    if (typeof x !== 'number' || typeof y !== 'number') continue;
    const list = values.get(x);
    if (list) list.push(y);
    else values.set(x, [y]);
  }
  return [...values]
    .sort(([a], [b]) => a - b)
    .map(([x, list]) => ({
      x,
      mean: list.reduce((sum, one) => sum + one, 0) / list.length,
      lowest: Math.min(...list),
      highest: Math.max(...list),
    }));
}
