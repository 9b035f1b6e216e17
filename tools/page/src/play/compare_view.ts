// Two versions, such as of Node and of a browser, or two machines: the timelines of both runs on one axis of time, their rows side by side, the first
// difference marked, and the reason that `loopsim diff` finds for it. A step moves both.
import { h, onResize } from '../dom';
import { eventWords } from '../event_words';
import { ms } from '../format';
import type { Translator } from '../i18n';
import { kindOf } from '../kinds';
import { Model } from '../model/model';
import { drawingOf, isDrawing } from './drawing';
import type { Outcome, Job } from './engine_protocol';
import { kFieldMeanings } from './field_meanings';
import { jobView } from './job_view';
import { lanesStrip } from './lanes_strip';
import { readReport, type Diff, type DiffReason, type DiffRow } from './report';
import { runOf } from './run_data';
import { familyOf, fileName, optionsOf, type Family, type Settings } from './settings';
import { versionGroups, type Choice } from './settings_form';
import type { SideView } from './views';
import type { PlayWord, Say } from './words';

const kMostRows = 2000;
const kOther = 'other.html';
const kLoop = 'the event loop'; // what `diff` calls that of Node and of a browser
const kPadding = 10; // of a side (play.css)

export interface Compared {
  source: string;
  settings: Settings;
  runtime: string; // of the run that is shown
  machine: string;
  html: string; // its data
}

export interface CompareView extends SideView {
  readonly values: string[];
  take(values: string[]): void;
  setChoices(name: 'version' | 'machine', choices: Choice[]): void;
}

export function compareView(
  tr: Translator,
  say: Say,
  what: () => Compared | null,
  run: (job: Job) => Promise<Outcome>,
  stop: () => void,
  onChange: () => void,
): CompareView {
  const chosen = (): void => {
    refresh();
    onChange();
  };
  const version = h('select', { 'data-compare': 'version', onchange: chosen });
  const machine = h('select', { 'data-compare': 'machine', onchange: chosen });
  const versionLabel = h('span', {});
  const machineLabel = h('span', {});
  const answer = jobView(say, run, stop);
  const element = h(
    'section',
    { class: 'play-side play-compare' },
    h(
      'div',
      { class: 'play-settings' },
      h('label', { class: 'play-setting' }, versionLabel, version),
      h('label', { class: 'play-setting' }, machineLabel, machine),
    ),
    answer.body,
  );
  const known: Record<'version' | 'machine', Choice[]> = { version: [], machine: [] };

  // What a link names is kept until the lists are there, and after that, known or not: the engine says what is wrong with it.
  const wanted = { version: '', machine: '' };
  let life = new AbortController(); // of the pictures
  let step: (by: number) => void = () => undefined;

  function fill(): void {
    for (const [control, name] of [
      [version, 'version'],
      [machine, 'machine'],
    ] as const) {
      const value = control.value || wanted[name];
      wanted[name] = '';
      const isKnown = !value || known[name].some((one) => one.value === value);
      control.replaceChildren(
        h('option', { value: '' }, say('compare.same')),
        ...(name === 'version'
          ? versionGroups(say, known.version, isOpen)
          : known[name].map((one) => h('option', { value: one.value, title: one.about || null }, one.label))),
        ...(isKnown ? [] : [h('option', { value }, value)]),
      );
      control.value = value;
    }
  }
  // Node and pages run the same programs; libuv and models of I/O have programs of their own.
  let family: Family = 'node';
  function isOpen(one: Family): boolean {
    return one === family || (one === 'node' && family === 'page') || (one === 'page' && family === 'node');
  }

  // One word for both sides, or one for each.
  function refresh(): void {
    const one = what();
    const next = familyOf(one?.runtime ?? '');
    if (next !== family) {
      family = next;
      fill();
    }
    const isIo = family === 'io';
    if (version.parentElement) version.parentElement.hidden = isIo;
    if ((!version.value || isIo) && !machine.value) return answer.tell('compare.choose');
    if (!one) return answer.tell('viewer.empty');
    const { settings } = one;
    if (isIo) return compareDrawings(one);
    const words = optionsOf({ ...settings, version: '', machine: '' });
    if (version.value) words.push('--runtime', settings.version || one.runtime, '--runtime', version.value);
    else if (settings.version) words.push('--runtime', settings.version);
    if (machine.value) words.push('--machine', settings.machine || one.machine, '--machine', machine.value);
    else if (settings.machine) words.push('--machine', settings.machine);
    const file = fileName(settings.kind);
    const files = { [file]: one.source };
    const job = { words: ['diff', file, '-f', 'json', ...words], files };
    // The other run itself, for its timeline.
    const other = { ...settings, version: version.value || settings.version, machine: machine.value || settings.machine };
    const also = { words: ['run', file, '-q', '-f', `html=${kOther}`, ...optionsOf(other)], files };
    answer.ask({ job, file, also }, (outcome, otherOutcome) => {
      const diff = readReport<Diff>(outcome.stdout, 'loopsim_diff');
      const html = otherOutcome?.files[kOther];
      return diff && html !== undefined && !isDrawing(html) ? draw(diff, [one.html, html]) : [];
    });
  }

  // A model of I/O has no callbacks to compare: both drawings, side by side.
  function compareDrawings(one: Compared): void {
    const file = fileName(one.settings.kind);
    const options = optionsOf({ ...one.settings, machine: machine.value });
    const words = ['run', file, '-q', '-f', `html=${kOther}`, '--lang', tr.language, ...options];
    answer.ask({ job: { words, files: { [file]: one.source } }, file }, (outcome) => {
      const html = outcome.files[kOther];
      if (html === undefined || !isDrawing(html)) return [];
      const sides = [
        [one.settings.machine || say('setting.own'), one.html],
        [machine.value, html],
      ] as const;
      life.abort();
      step = () => undefined;
      return [
        h(
          'div',
          { class: 'compare-drawings' },
          ...sides.map(([name, text], i) => h('section', {}, h('h2', {}, name), drawingOf(text, `side${i}-`, say).element)),
        ),
      ];
    });
  }

  function meaningOf({ name, meaning }: DiffReason): string {
    if (name === kLoop) return say('compare.loop');
    return (tr.language === 'zh' && kFieldMeanings[name]) || meaning || name;
  }

  function cell(row: DiffRow | null): HTMLElement {
    if (!row) return h('td', {});
    const words =
      row.ev === 'log' || row.ev === 'error_log'
        ? `│ ${row.text ?? ''}`
        : row.ev === 'exit'
          ? `■ ${say('compare.exit', row.code ?? 0)}`
          : `▶ ${row.name ?? row.ev}`;
    const text = h('span', { class: 'compare-text' }, words);
    const time = h('span', { class: 'console-time' }, ms(row.t));
    const kind = `k-${kindOf(row.api ?? '', row.phase)}`;
    return h('td', { class: kind }, h('span', { class: 'compare-cell' }, time, text));
  }

  function draw(diff: Diff, html: [string, string]): Node[] {
    const first = diff.first_difference?.row ?? 0;
    const rows = diff.rows.slice(0, kMostRows);
    const firstAt = diff.identical
      ? -1
      : rows.findIndex(({ mark, a, b }) => mark !== 'same' && (a?.row === first || b?.row === first));
    const verdict = h(
      'p',
      { class: 'compare-verdict' },
      diff.identical ? say('compare.identical') : say('compare.first', first),
    );
    const why = (diff.reason?.first ?? []).map((one) =>
      h(
        'li',
        {},
        h('p', {}, meaningOf(one)),
        h('span', { class: 'why-source' }, say('compare.field', one.name, diff.a.name, one.a, diff.b.name, one.b)),
      ),
    );

    // ---- the two runs, on one axis of time
    const models = html.map((text) => new Model(runOf(text)));
    const end = Math.max(...models.map((model) => model.event(model.size).t));
    const sides = (['a', 'b'] as const).map((side, i) => {
      const model = models[i] ?? new Model(runOf(html[0]));
      const strip = lanesStrip(model, tr, end);
      strip.setDifference(rows[firstAt]?.[side]?.t ?? null);
      const state = h('p', { class: 'compare-state' });
      const name = h('h3', {}, diff[side].name);
      return { side, model, strip, state, element: h('section', { class: 'compare-side' }, name, strip.element, state) };
    });
    const times = h('div', { class: 'compare-times' }, ...sides.map((one) => one.element));
    life.abort();
    life = new AbortController();
    onResize(times, life.signal, (width) => {
      if (width > 0) for (const { strip } of sides) strip.draw(Math.floor(width) - 2 * kPadding);
    });

    // ---- the rows of both
    const lines = rows.map(({ mark, a, b }, i) => {
      const words = mark === 'same' ? '' : say(mark === 'moved' ? 'compare.moved' : 'compare.different');
      const state = `${mark === 'same' ? '' : 'is-different'} ${i === firstAt ? 'is-first' : ''}`;
      return h('tr', { class: state, onclick: () => go(i) }, cell(a), h('td', { class: 'compare-mark' }, words), cell(b));
    });
    const head = (words: string): HTMLElement => h('th', { scope: 'col' }, words);
    const table = h(
      'table',
      {},
      h('thead', {}, h('tr', {}, head(diff.a.name), head(say('compare.difference')), head(diff.b.name))),
      h('tbody', {}, ...lines),
    );
    const list = h('div', { class: 'compare-rows', tabindex: '0', role: 'group', 'aria-label': say('view.compare') }, table);

    // ---- a step moves both
    const position = h('span', { class: 'position', role: 'status' });
    let at = -1;
    const go = (row: number): void => {
      const next = Math.min(Math.max(0, row), rows.length - 1);
      if (next === at || rows.length === 0) return;
      lines[at]?.removeAttribute('aria-current');
      at = next;
      const line = lines[at];
      line?.setAttribute('aria-current', 'step');
      if (line) {
        const [top, bottom] = [line.offsetTop, line.offsetTop + line.offsetHeight];
        if (top < list.scrollTop + 32) list.scrollTop = top - 40;
        else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight + 8;
      }
      position.textContent = say('compare.row', at + 1, rows.length);
      for (const { side, model, strip, state } of sides) {
        // A row that only the other side has: this one stands before its next row.
        const own = rows[at]?.[side];
        const next = own ?? rows.slice(at).find((one) => one[side])?.[side];
        const number = own ? own.seq : next ? Math.max(1, next.seq - 1) : model.lastNumber;
        strip.setPlace(model.event(model.placeOf(number)).t);
        state.textContent = stateWords(model, number);
      }
    };
    const button = (word: PlayWord, name: string, text: string, act: () => void): HTMLElement =>
      h('button', { type: 'button', class: 'play-button', 'data-compare-step': name, 'aria-label': say(word), title: say(word), onclick: act }, text);
    const steps = h(
      'div',
      { class: 'compare-steps', role: 'group', 'aria-label': say('compare.steps') },
      button('compare.back', 'back', '←', () => go(at - 1)),
      button('compare.forward', 'forward', '→', () => go(at + 1)),
      firstAt >= 0 &&
        h('button', { type: 'button', class: 'play-button', 'data-compare-step': 'first', onclick: () => go(firstAt) }, say('compare.toFirst')),
      position,
    );
    step = (by) => go(at + by);
    go(Math.max(0, firstAt));
    const more =
      diff.rows.length > kMostRows
        ? [h('p', { class: 'muted' }, say('problems.more', diff.rows.length - kMostRows))]
        : [];
    const reasons = why.length ? [h('div', { class: 'compare-why' }, h('h3', {}, say('compare.why')), h('ol', { class: 'sentences' }, ...why))] : [];
    return [h('div', { class: 'compare-head' }, verdict, steps), ...reasons, times, list, ...more];
  }

  // What runs and what waits at an event, in a line.
  function stateWords(model: Model, number: number): string {
    const state = model.atStep(model.placeOf(number));
    const { queues } = state;
    const counts = (
      [
        ['queue.ticks', queues.ticks.length],
        ['queue.microtasks', queues.microtasks.length],
        ['queue.timers', queues.timers.length],
        ['queue.pending', queues.pending.length],
        ['queue.poll', queues.ready.length + queues.network.length],
        ['queue.pool', queues.pool.length],
        ['queue.immediates', queues.immediates.length],
        ['queue.closing', queues.closing.length],
        ['queue.tasks', queues.tasks.length],
        ['queue.delayedTasks', queues.delayedTasks.length],
        ['queue.frames', queues.frames.length],
        ['queue.idles', queues.idles.length],
      ] as const
    ).flatMap(([word, size]) => (size ? [`${tr.t(word)} ${size}`] : []));
    return [eventWords(model, state.event, tr), ...counts].join(' · ');
  }

  // The keys of the viewer, which is hidden meanwhile.
  document.addEventListener(
    'keydown',
    (event) => {
      const isStep = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
      if (!isStep || element.hidden || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      const target = event.target as HTMLElement;
      if (target.matches('input, select, textarea') || target.isContentEditable) return;
      event.preventDefault();
      event.stopPropagation();
      step(event.key === 'ArrowLeft' ? -1 : 1);
    },
    { capture: true },
  );

  const translate = (): void => {
    versionLabel.textContent = say('compare.version');
    machineLabel.textContent = say('compare.machine');
    fill();
    answer.translate();
  };
  return {
    name: 'compare',
    word: 'view.compare',
    element,
    refresh,
    leave: answer.leave,
    translate,
    get values() {
      return [version.value, machine.value];
    },
    take: ([versionName = '', machineName = '']) => {
      version.value = machine.value = '';
      Object.assign(wanted, { version: versionName, machine: machineName });
      fill();
    },
    setChoices: (name, choices) => {
      known[name] = choices;
      fill();
    },
  };
}
