// The timeline's content: bars and marks on lanes. A bar has positions on both scales: time (ns) and steps (events).
import { eventWords, mainWord, phaseWord, stallWord, waitWords } from '../event_words';
import { ms } from '../format';
import type { Translator, Word } from '../i18n';
import { kindOf, kindOfPhase, type Kind } from '../kinds';
import type { Model } from '../model/model';

export interface Bar {
  from: number; // ns
  to: number;
  first: number; // events
  last: number;
  event: number; // target of a click
  kind: Kind | 'wait' | 'lost' | 'error';
  text: string; // in the bar
  label?: Word; // a translated word instead of the text
  words: (tr: Translator) => string; // description
}

export interface Row {
  bars: Bar[]; // sorted by start, not overlapping
  isMarks: boolean;
}

export interface Lane {
  name: (tr: Translator) => string;
  rows: Row[];
}

const kDeepest = 3; // rows of nested callbacks; deeper ones share the last

export function makeLanes(model: Model): Lane[] {
  const { events } = model.run;
  const end = events.length;
  const lanes: Lane[] = [];
  const row = (isMarks = false): Row => ({ bars: [], isMarks });

  // ---- phases and waits
  const loop = row();
  let open: Bar | null = null;
  const close = (t: number, n: number): void => {
    if (!open) return;
    open.to = t;
    open.last = n;
    loop.bars.push(open);
    open = null;
  };
  for (const event of events) {
    if (event.seq === 1) open = phaseBar(model, 'main', event.t, event.seq);
    if (event.ev === 'turn' && event.turn === 1) close(event.t, event.seq);
    if (event.ev === 'phase_enter') {
      close(event.t, event.seq);
      open = phaseBar(model, event.phase, event.t, event.seq);
    }
    if (event.ev === 'phase_exit') close(event.t, event.seq);
    if (event.ev === 'poll') {
      close(event.t - (event.blocked ?? 0), event.seq - 1);
      const blocked = event.blocked ?? 0;
      loop.bars.push({
        from: event.t - blocked,
        to: event.t,
        first: event.seq - 1,
        last: event.seq,
        event: event.seq,
        kind: 'wait',
        text: blocked ? ms(blocked) : '',
        words: (tr) => tr.t('lane.wait', ms(blocked)),
      });
    }
    if (event.ev === 'wait') {
      const slept = event.slept ?? 0;
      close(event.t - slept, event.seq - 1);
      loop.bars.push({
        from: event.t - slept,
        to: event.t,
        first: event.seq - 1,
        last: event.seq,
        event: event.seq,
        kind: 'wait',
        text: slept ? ms(slept) : '',
        words: (tr) => waitWords(event, tr),
      });
    }
  }
  close(events[events.length - 1]?.t ?? 0, end);
  lanes.push({ name: (tr) => tr.t('lane.loop'), rows: [loop] });

  // ---- callbacks, nested ones below
  const depths: Row[] = [];
  for (const callback of model.callbacks.inOrder) {
    const depth = Math.min(callback.depth, kDeepest - 1);
    while (depths.length <= depth) depths.push(row());
    const from = model.event(callback.begin).t;
    const to = callback.end ? model.event(callback.end).t : (events[events.length - 1]?.t ?? from);
    const last = depths[depth]?.bars[depths[depth].bars.length - 1];
    if (callback.depth >= kDeepest && last && last.last > callback.begin) continue; // would overlap in the last row
    depths[depth]?.bars.push({
      from,
      to,
      first: callback.begin,
      last: callback.end || end,
      event: callback.begin,
      kind: kindOf(callback.api, callback.phase),
      text: callback.name,
      ...(callback.api === 'main' ? { label: mainWord(model) } : {}),
      words: (tr) =>
        `${callback.name} (${callback.api}) ${ms(from)}–${ms(to)} ms${callback.late > 0 ? ' · ' + eventWords(model, model.event(callback.begin), tr) : ''}`,
    });
  }
  lanes.push({ name: (tr) => tr.t('lane.callbacks'), rows: depths });

  // ---- threads of the pool
  const threads = new Map<number, Row>();
  for (const work of model.work) {
    const [from, to] = [model.event(work.begin).t, model.event(work.end || end).t];
    const name = model.callback(work.id)?.name ?? work.op;
    const thread = threads.get(work.thread) ?? row();
    threads.set(work.thread, thread);
    thread.bars.push({
      from,
      to,
      first: work.begin,
      last: work.end || end,
      event: work.begin,
      kind: 'poll',
      text: name,
      words: () => `${name} · ${work.op} ${ms(from)}–${ms(to)} ms`,
    });
  }
  for (const [thread, lane] of [...threads].sort(([a], [b]) => a - b)) {
    lanes.push({ name: (tr) => tr.t('lane.pool', thread), rows: [lane] });
  }

  // ---- outside events, frames of the display, lost CPU time, console
  const outside = row(true);
  const display = row(true);
  const lost = row();
  const lines = row(true);
  for (const event of events) {
    const at = event.at ?? event.t;
    const mark = (kind: Bar['kind']): Bar => ({
      from: at,
      to: at,
      first: event.seq,
      last: event.seq,
      event: event.seq,
      kind,
      text: '',
      words: (tr) => eventWords(model, event, tr),
    });
    if (event.ev === 'input' || event.ev === 'answer' || event.ev === 'receive') outside.bars.push(mark('pending'));
    if (event.ev === 'frame') {
      const due = event.due ?? event.t;
      display.bars.push({ ...mark(event.dropped ? 'error' : 'check'), from: due, to: due });
    }
    if (event.ev === 'ready' && event.thread === undefined) outside.bars.push(mark('poll'));
    if (event.ev === 'log') lines.bars.push(mark('main'));
    if (event.ev === 'error_log' || event.ev === 'uncaught') lines.bars.push(mark('error'));
    if (event.ev === 'stall') {
      const from = event.from ?? event.t;
      lost.bars.push({
        from,
        to: from + Number(event.for ?? 0),
        first: event.seq - 1,
        last: event.seq,
        event: event.seq,
        kind: 'lost',
        text: '',
        label: stallWord(event),
        words: (tr) => tr.t('lane.stall', ms(Number(event.for ?? 0)), tr.t(stallWord(event))),
      });
    }
  }
  outside.bars.sort((a, b) => a.from - b.from || a.first - b.first);
  if (outside.bars.length) lanes.push({ name: (tr) => tr.t('lane.outside'), rows: [outside] });
  if (display.bars.length) lanes.push({ name: (tr) => tr.t('lane.display'), rows: [display] });
  if (lost.bars.length) lanes.push({ name: (tr) => tr.t('lane.cpu'), rows: [lost] });
  if (lines.bars.length) lanes.push({ name: (tr) => tr.t('lane.console'), rows: [lines] });
  return lanes;
}

function phaseBar(model: Model, phase: string, t: number, n: number): Bar {
  return {
    from: t,
    to: t,
    first: n,
    last: n,
    event: n,
    kind: kindOfPhase(phase),
    text: phase,
    label: phaseWord(model, phase),
    words: (tr) => tr.t(phaseWord(model, phase)),
  };
}
