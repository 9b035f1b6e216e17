// Two versions of Node, or two machines: the rows of both runs side by side, the first difference marked, and the reason that
// `loopsim diff` finds for it.
import { h } from '../dom';
import { ms } from '../format';
import { kindOf } from '../kinds';
import type { Outcome, Job } from './engine_protocol';
import { jobView } from './job_view';
import { readReport, type Diff, type DiffRow } from './report';
import { fileName, optionsOf, type Settings } from './settings';
import type { Choice } from './settings_form';
import type { SideView } from './views';
import type { Say } from './words';

const kMostRows = 2000;

export interface Compared {
  source: string;
  settings: Settings;
  runtime: string; // of the run that is shown
  machine: string;
}

export interface CompareView extends SideView {
  setChoices(name: 'version' | 'machine', choices: Choice[]): void;
}

export function compareView(
  say: Say,
  what: () => Compared | null,
  run: (job: Job) => Promise<Outcome>,
  stop: () => void,
): CompareView {
  const version = h('select', { 'data-compare': 'version', onchange: () => refresh() });
  const machine = h('select', { 'data-compare': 'machine', onchange: () => refresh() });
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

  function fill(): void {
    for (const [control, name] of [
      [version, 'version'],
      [machine, 'machine'],
    ] as const) {
      const { value } = control;
      control.replaceChildren(
        h('option', { value: '' }, say('compare.same')),
        ...known[name].map((one) => h('option', { value: one.value, title: one.about || null }, one.label)),
      );
      control.value = value;
    }
  }

  // One word for both sides, or one for each.
  function refresh(): void {
    const one = what();
    if (!one || (!version.value && !machine.value)) {
      answer.ask(null, () => []);
      answer.body.replaceChildren(h('p', { class: 'muted' }, say('compare.choose')));
      return;
    }
    const { settings } = one;
    const words = optionsOf({ ...settings, version: '', machine: '' });
    if (version.value) words.push('--runtime', settings.version || one.runtime, '--runtime', version.value);
    else if (settings.version) words.push('--runtime', settings.version);
    if (machine.value) words.push('--machine', settings.machine || one.machine, '--machine', machine.value);
    else if (settings.machine) words.push('--machine', settings.machine);
    const file = fileName(settings.kind);
    const job = { words: ['diff', file, '-f', 'json', ...words], files: { [file]: one.source } };
    answer.ask({ job, file }, (outcome) => {
      const diff = readReport<Diff>(outcome.stdout, 'loopsim_diff');
      return diff ? draw(diff) : [];
    });
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

  function draw(diff: Diff): Node[] {
    const first = diff.first_difference?.row ?? 0;
    const reasons = diff.reason?.first ?? [];
    const verdict = h(
      'p',
      { class: 'compare-verdict' },
      diff.identical ? say('compare.identical') : say('compare.first', first),
    );
    const why = reasons.map((one) =>
      h(
        'li',
        {},
        h('p', {}, one.meaning || one.name),
        h('span', { class: 'why-source' }, say('compare.field', one.name, diff.a.name, one.a, diff.b.name, one.b)),
      ),
    );
    let isMarked = false;
    const rows = diff.rows.slice(0, kMostRows).map(({ mark, a, b }) => {
      const isFirst: boolean =
        !isMarked && !diff.identical && mark !== 'same' && (a?.row === first || b?.row === first);
      isMarked ||= isFirst;
      const words = mark === 'same' ? '' : say(mark === 'moved' ? 'compare.moved' : 'compare.different');
      const state = `${mark === 'same' ? '' : 'is-different'} ${isFirst ? 'is-first' : ''}`;
      return h(
        'tr',
        { class: state, 'aria-current': isFirst ? 'true' : null },
        cell(a),
        h('td', { class: 'compare-mark' }, words),
        cell(b),
      );
    });
    const table = h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, diff.a.name),
          h('th', { scope: 'col' }, say('compare.difference')),
          h('th', { scope: 'col' }, diff.b.name),
        ),
      ),
      h('tbody', {}, ...rows),
    );
    const more =
      diff.rows.length > kMostRows
        ? [h('p', { class: 'muted' }, say('problems.more', diff.rows.length - kMostRows))]
        : [];
    const list = why.length ? [h('h3', {}, say('compare.why')), h('ol', { class: 'sentences' }, ...why)] : [];
    return [
      verdict,
      ...list,
      h('div', { class: 'compare-rows', tabindex: '0', role: 'group', 'aria-label': say('view.compare') }, table),
      ...more,
    ];
  }

  const translate = (): void => {
    versionLabel.textContent = say('compare.version');
    machineLabel.textContent = say('compare.machine');
    fill();
    if (!element.hidden) refresh();
  };
  return {
    name: 'compare',
    word: 'view.compare',
    element,
    refresh,
    leave: answer.leave,
    translate,
    setChoices: (name, choices) => {
      known[name] = choices;
      fill();
    },
  };
}
