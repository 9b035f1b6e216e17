// Where something is wrong, as the program says it: what it refuses, and what its run leaves uncaught.
import type { Run, TraceEvent } from '../model/types';

export interface Problem {
  message: string;
  isWarning: boolean;
  line: number; // from 1; 0: of no place in the file
  column: number; // from 1, in bytes
}

// `FILE:LINE:COL: error: message`, followed by the line and a mark below it, which the editor shows itself.
const kPlaced = /^([^\s:]+):(\d+):(\d+): (?:(error|warning|note): )?(.*)$/;

// The summary of a run, which ends with the hash of its trace.
const kSummary = / · \S+ [0-9a-f]{16}$/;

export function problemsOf(stderr: string, file: string): Problem[] {
  const found: Problem[] = [];
  for (const line of stderr.split('\n')) {
    if (!line.trim() || /^\s/.test(line) || line.startsWith('Try "loopsim') || kSummary.test(line)) continue;
    const [, name, row, column, kind, message] = kPlaced.exec(line) ?? [];
    if (name === file && message !== undefined)
      found.push({
        message,
        isWarning: kind === 'warning' || kind === 'note',
        line: Number(row),
        column: Number(column),
      });
    else {
      const [, other, text] = /^(?:loopsim: |<command line>: )?(?:(error|warning|note): )?(.*)$/.exec(line) ?? [];
      found.push({ message: text ?? line, isWarning: other === 'warning' || other === 'note', line: 0, column: 0 });
    }
  }
  return found;
}

// What nothing has caught, at the place that Node names: `FILE:LINE`, the line, and `^` below its column.
export function uncaughtIn(run: Run): Problem[] {
  const found: Problem[] = [];
  let message = '';
  for (let i = 0; i < run.events.length; ++i) {
    const event = run.events.at(i) as TraceEvent;
    if (event.ev === 'uncaught') message = event.text ?? '';
    if (event.ev !== 'error_log' || !message) continue;
    const [first = '', , mark = ''] = (event.text ?? '').split('\n');
    const [, file, line] = /^(.*):(\d+)$/.exec(first) ?? [];
    if (file?.split('/').pop() === run.file && line !== undefined)
      found.push({ message, isWarning: false, line: Number(line), column: Math.max(1, mark.indexOf('^') + 1) });
    message = '';
  }
  return found;
}
