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
  words: (tr: Translator, bar: Bar) => string; // description; one function for all bars of a kind, of which there may be very many
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
  const end = model.size;
  const endTime = model.event(end).t;
  const lanes: Lane[] = [];
  const row = (isMarks = false): Row => ({ bars: [], isMarks });
  const spanWords = ({ from, to }: Bar): string => `${ms(from)}–${ms(to)} ms`;

  // ---- phases and waits; outside events, frames of the display, lost CPU time, console
  const loop = row();
  const outside = row(true);
  const display = row(true);
  const lost = row();
  const lines = row(true);
  const phaseWords: Bar['words'] = (tr, { text }) => tr.t(phaseWord(model, text));
  const pauseWords: Bar['words'] = (tr, bar) => {
    const event = model.event(bar.event);
    return event.ev === 'poll' ? tr.t('lane.wait', ms(event.blocked ?? 0)) : waitWords(event, tr);
  };
  const markWords: Bar['words'] = (tr, bar) => eventWords(model, model.event(bar.event), tr);
  const stallWords: Bar['words'] = (tr, { from, to, event }) =>
    tr.t('lane.stall', ms(to - from), tr.t(stallWord(model.event(event))));
  const phaseBar = (phase: string, t: number, n: number): Bar => ({
    from: t,
    to: t,
    first: n,
    last: n,
    event: n,
    kind: kindOfPhase(phase),
    text: phase,
    label: phaseWord(model, phase),
    words: phaseWords,
  });
  let open: Bar | null = phaseBar('main', model.event(1).t, 1);
  const close = (t: number, n: number): void => {
    if (!open) return;
    open.to = t;
    open.last = n;
    loop.bars.push(open);
    open = null;
  };
  for (const n of model.marked) {
    const event = model.event(n);
    const { ev, t } = event;
    const mark = (kind: Bar['kind'], at = event.at ?? t): Bar => ({
      from: at,
      to: at,
      first: n,
      last: n,
      event: n,
      kind,
      text: '',
      words: markWords,
    });
    if ((ev === 'turn' && event.turn === 1) || ev === 'phase_enter' || ev === 'phase_exit') close(t, n);
    if (ev === 'phase_enter') open = phaseBar(event.phase, t, n);
    if (ev === 'poll' || ev === 'wait') {
      const pause = event.blocked ?? event.slept ?? 0;
      close(t - pause, n - 1);
      loop.bars.push({
        from: t - pause,
        to: t,
        first: n - 1,
        last: n,
        event: n,
        kind: 'wait',
        text: pause ? ms(pause) : '',
        words: pauseWords,
      });
    }
    if (ev === 'input' || ev === 'answer' || ev === 'receive') outside.bars.push(mark('pending'));
    if (ev === 'frame') display.bars.push(mark(event.dropped ? 'error' : 'check', event.due ?? t));
    if (ev === 'ready' && event.thread === undefined) outside.bars.push(mark('poll'));
    if (ev === 'log') lines.bars.push(mark('main'));
    if (ev === 'error_log' || ev === 'uncaught') lines.bars.push(mark('error'));
    if (ev === 'stall') {
      const from = event.from ?? t;
      lost.bars.push({
        from,
        to: from + Number(event.for ?? 0),
        first: n - 1,
        last: n,
        event: n,
        kind: 'lost',
        text: '',
        label: stallWord(event),
        words: stallWords,
      });
    }
  }
  close(endTime, end);
  lanes.push({ name: (tr) => tr.t('lane.loop'), rows: [loop] });

  // ---- callbacks, nested ones below
  const depths: Row[] = [];
  const callbackWords: Bar['words'] = (tr, bar) => {
    const begin = model.event(bar.event);
    const callback = model.callback(begin.id ?? 0);
    return `${bar.text} (${callback?.api ?? ''}) ${spanWords(bar)}${(callback?.late ?? 0) > 0 ? ' · ' + eventWords(model, begin, tr) : ''}`;
  };
  for (const callback of model.callbacks.inOrder) {
    const depth = Math.min(callback.depth, kDeepest - 1);
    while (depths.length <= depth) depths.push(row());
    const last = depths[depth]?.bars[depths[depth].bars.length - 1];
    if (callback.depth >= kDeepest && last && last.last > callback.begin) continue; // would overlap in the last row
    const bar: Bar = {
      from: callback.from,
      to: callback.end ? callback.to : endTime,
      first: callback.begin,
      last: callback.end || end,
      event: callback.begin,
      kind: kindOf(callback.api, callback.phase),
      text: callback.name,
      words: callbackWords,
    };
    if (callback.api === 'main') bar.label = mainWord(model);
    depths[depth]?.bars.push(bar);
  }
  lanes.push({ name: (tr) => tr.t('lane.callbacks'), rows: depths });

  // ---- threads of the pool
  const threads = new Map<number, Row>();
  const workWords: Bar['words'] = (_tr, bar) => `${bar.text} · ${model.event(bar.event).op ?? ''} ${spanWords(bar)}`;
  for (const work of model.work) {
    const [from, to] = [model.event(work.begin).t, model.event(work.end || end).t];
    const thread = threads.get(work.thread) ?? row();
    threads.set(work.thread, thread);
    thread.bars.push({
      from,
      to,
      first: work.begin,
      last: work.end || end,
      event: work.begin,
      kind: 'poll',
      text: model.callback(work.id)?.name ?? work.op,
      words: workWords,
    });
  }
  for (const [thread, lane] of [...threads].sort(([a], [b]) => a - b)) {
    lanes.push({ name: (tr) => tr.t('lane.pool', thread), rows: [lane] });
  }

  outside.bars.sort((a, b) => a.from - b.from || a.first - b.first);
  if (outside.bars.length) lanes.push({ name: (tr) => tr.t('lane.outside'), rows: [outside] });
  if (display.bars.length) lanes.push({ name: (tr) => tr.t('lane.display'), rows: [display] });
  if (lost.bars.length) lanes.push({ name: (tr) => tr.t('lane.cpu'), rows: [lost] });
  if (lines.bars.length) lanes.push({ name: (tr) => tr.t('lane.console'), rows: [lines] });
  return lanes;
}
