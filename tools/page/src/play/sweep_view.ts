// A small sweep as a plot: how late callbacks are against the load, or the threads of the pool. `loopsim sweep` runs it; what is
// drawn is the mean of each point's runs, and the lowest and highest of them. A click on a point sets it for the run.
import { scaleLinear } from 'd3-scale';
import { h, onResize, svg } from '../dom';
import type { Outcome, Job } from './engine_protocol';
import { jobView } from './job_view';
import { familyOf, fileName, hasPool, optionsOf, type Settings } from './settings';
import { pointsOf, metricsOf, readRows, type Point, type Row } from './sweep';
import type { SideView } from './views';
import type { Say } from './words';

const kRuns = 8; // of each point
const kAgainst = {
  load: { option: '--load', range: '0:0.9:0.1', column: '/machine/load' },
  threads: { option: '--threads', range: '1:8:1', column: '/runtime/threadpool' },
} as const;
type Against = keyof typeof kAgainst;
const kMargin = { top: 14, right: 18, bottom: 46, left: 58 };
const kHeight = 300;

export interface SweepView extends SideView {
  readonly values: string[];
  take(values: string[]): void;
}

export function sweepView(
  say: Say,
  what: () => { source: string; settings: Settings; runtime: string } | null,
  run: (job: Job) => Promise<Outcome>,
  stop: () => void,
  choose: (name: Against, value: string) => void,
  onChange: () => void,
): SweepView {
  const answer = jobView(say, run, stop);
  const about = h('p', { class: 'muted' });
  const againstLabel = h('span', {});
  const metricLabel = h('span', {});
  const against = h('select', { 'data-sweep': 'against' }, h('option', { value: 'load' }), h('option', { value: 'threads' }));
  const metric = h('select', { 'data-sweep': 'metric' });
  const element = h(
    'section',
    { class: 'play-side play-sweep', tabindex: '0', role: 'group' },
    h(
      'div',
      { class: 'play-settings' },
      h('label', { class: 'play-setting' }, metricLabel, metric),
      h('label', { class: 'play-setting' }, againstLabel, against),
    ),
    about,
    answer.body,
  );
  let rows: Row[] = [];
  let wanted = ''; // the metric that was chosen, or came with a link; '': the first there is
  const life = new AbortController();
  let width = 0;
  const axis = (): Against => (against.value === 'threads' ? 'threads' : 'load');
  const label = (name: string): string => {
    const [, callback, figure] = /^(?:(.*)\.)?(lateness_mean|lateness_max|finish_time)$/.exec(name) ?? [];
    if (!figure) return name;
    const words = say(`sweep.${figure as 'lateness_mean' | 'lateness_max' | 'finish_time'}`);
    return callback ? `${callback}: ${words}` : words;
  };
  const metricNow = (): string => {
    const all = metricsOf(rows);
    return all.includes(wanted) ? wanted : (all[0] ?? 'lateness_mean');
  };

  // ---- the picture
  const plot = h('div', { class: 'sweep-plot' });
  onResize(plot, life.signal, (next) => {
    if (Math.abs(next - width) < 1 || next === 0) return;
    width = next;
    drawPlot();
  });
  const amount = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
  const shownValue = (): number | null => {
    const { settings } = what() ?? {};
    const value = axis() === 'load' ? settings?.load : settings?.threads;
    return value ? Number(value) : null;
  };
  function drawPlot(): void {
    const points = pointsOf(rows, kAgainst[axis()].column, metricNow());
    if (width === 0 || points.length === 0) return plot.replaceChildren();
    const xs = points.map(({ x }) => x);
    const x = scaleLinear()
      .domain([Math.min(...xs), Math.max(...xs)])
      .range([kMargin.left + 8, width - kMargin.right]);
    const y = scaleLinear()
      .domain([0, Math.max(...points.map(({ highest }) => highest)) || 1])
      .nice(5)
      .range([kHeight - kMargin.bottom, kMargin.top]);
    const way = (of: (point: Point) => number, list = points): string => list.map((point) => `${x(point.x)},${y(of(point))}`).join(' L');
    const band = `M${way(({ highest }) => highest)} L${way(({ lowest }) => lowest, [...points].reverse())} Z`;
    const every = Math.max(1, Math.ceil((points.length * 34) / (width - kMargin.left)));
    const picture = svg(
      'svg',
      { width, height: kHeight, 'aria-hidden': 'true' },
      ...y.ticks(5).flatMap((value) => [
        svg('line', { class: 'sweep-grid', x1: kMargin.left, x2: width - kMargin.right, y1: y(value), y2: y(value) }),
        svg('text', { x: kMargin.left - 8, y: y(value) + 4, 'text-anchor': 'end' }, String(value)),
      ]),
      ...points
        .filter((_point, i) => i % every === 0)
        .map((point) => svg('text', { x: x(point.x), y: kHeight - kMargin.bottom + 20, 'text-anchor': 'middle' }, String(point.x))),
      svg('text', { class: 'sweep-title', x: (kMargin.left + width) / 2, y: kHeight - 6, 'text-anchor': 'middle' }, say(`sweep.against.${axis()}`)),
      svg(
        'text',
        { class: 'sweep-title', transform: `translate(13 ${(kHeight - kMargin.bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' },
        say('sweep.unit'),
      ),
      svg('path', { class: 'sweep-band', d: band }),
      svg('path', { class: 'sweep-line', d: `M${way(({ mean }) => mean)}` }),
    );
    const now = shownValue();
    const buttons = points.map((point) => {
      const words = say('sweep.point', say(`sweep.against.${axis()}`), point.x, amount(point.mean), amount(point.lowest), amount(point.highest));
      const one = h('button', {
        type: 'button',
        class: 'sweep-point',
        'aria-label': words,
        title: words,
        'aria-pressed': String(point.x === now),
        'data-x': point.x,
        onclick: () => choose(axis(), String(point.x)),
      });
      one.style.left = `${x(point.x)}px`;
      one.style.top = `${y(point.mean)}px`;
      return one;
    });
    plot.replaceChildren(picture, ...buttons);
  }

  function draw(): Node[] {
    const name = metricNow();
    metric.replaceChildren(...metricsOf(rows).map((one) => h('option', { value: one }, label(one))));
    metric.value = name;
    const points = pointsOf(rows, kAgainst[axis()].column, name);
    if (points.length === 0) return [h('p', { class: 'muted' }, say('sweep.none'))];
    drawPlot();
    const cells = ({ x, mean, lowest, highest }: Point): HTMLElement =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, String(x)),
        ...[mean, lowest, highest].map((value) => h('td', {}, amount(value))),
      );
    const heads = [say(`sweep.against.${axis()}`), say('sweep.mean'), say('sweep.lowest'), say('sweep.highest')];
    const table = h(
      'table',
      { class: 'sweep-table' },
      h('caption', {}, say('sweep.caption', label(name))),
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...points.map(cells)),
    );
    return [h('p', { class: 'compare-verdict' }, say('sweep.says', label(name), say(`sweep.against.${axis()}`))), plot, table];
  }

  function refresh(): void {
    const one = what();
    if (!one) return answer.tell('viewer.empty');
    if (axis() === 'threads' && !hasPool(familyOf(one.runtime))) return answer.tell('sweep.noPool');
    const file = fileName(one.settings.kind);
    const { option, range } = kAgainst[axis()];
    const fixed = optionsOf({ ...one.settings, [axis()]: '' });
    const words = ['sweep', file, option, range, '-n', String(kRuns), '-f', 'jsonl', '--jobs', '1', '-q', '--no-warnings', ...fixed];
    answer.ask({ job: { words, files: { [file]: one.source } }, file }, (outcome) => {
      rows = readRows(outcome.stdout);
      return rows.length ? draw() : [];
    });
    drawPlot(); // which point is the run's
  }
  against.addEventListener('change', () => {
    refresh();
    onChange();
  });
  metric.addEventListener('change', () => {
    wanted = metric.value;
    answer.body.replaceChildren(...draw());
    onChange();
  });
  return {
    name: 'sweep',
    word: 'view.sweep',
    element,
    refresh,
    leave: answer.leave,
    get values() {
      return [axis(), wanted];
    },
    take: ([axisName = '', metricName = '']) => {
      against.value = axisName === 'threads' ? 'threads' : 'load';
      wanted = metricName;
    },
    translate: () => {
      about.textContent = say('sweep.about', kRuns);
      againstLabel.textContent = say('sweep.against');
      metricLabel.textContent = say('sweep.metric');
      for (const option of against.options) option.textContent = say(`sweep.against.${option.value as Against}`);
      element.setAttribute('aria-label', say('view.sweep'));
      answer.translate();
    },
  };
}
