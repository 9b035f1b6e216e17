// The timeline: lanes on a canvas, with an axis that can be zoomed and moved. Draws only visible bars, and only the
// first of those that fall on the same pixel.
import { axisTop } from 'd3-axis';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { zoom, zoomIdentity, zoomTransform, type ZoomBehavior } from 'd3-zoom';
import type { Context, View } from '../context';
import { h, onResize, svg } from '../dom';
import { eventWords, foldWords } from '../event_words';
import { count, ms, shortMs } from '../format';
import { firstWhere } from '../model/search';
import type { Fold } from '../model/folds';
import { makeLanes, type Bar, type Lane, type Row } from './lanes';
import { panel } from './panel';

export type Scale = 'time' | 'steps';

const kGutter = 92;
const kAxis = 26;
const kRow = 20;
const kGap = 6;
const kRight = 34;
const kKinds = [
  'timers',
  'pending',
  'idle',
  'poll',
  'check',
  'closing',
  'ticks',
  'microtasks',
  'main',
  'other',
] as const;

// By theme. Reading them computes the style of the whole page, so it is done once, not for every viewer.
const knownColors = new Map<string, Map<string, string>>();

interface Placed {
  row: Row;
  y: number;
}

export interface TimelineView extends View {
  zoomBy(factor: number): void;
  pan(pixels: number): void;
  fit(): void;
  toggleScale(): void;
}

export function timelineView(context: Context): TimelineView {
  const { model, player, tr } = context;
  const box = panel(context, 'timeline', 'panel.timeline');
  let placed: Placed[] = [];
  let labels: { lane: Lane; y: number; rows: number }[] = [];
  let lanesHeight = 0;
  let endTime = 1;
  let scale: Scale = 'time';
  let isChosen = false; // the scale, by the reader
  let width = 0;
  let colors = new Map<string, string>();
  let current = 1;

  function placeLanes(): void {
    placed = [];
    labels = [];
    let y = 4;
    for (const lane of makeLanes(model)) {
      labels.push({ lane, y, rows: lane.rows.length });
      for (const row of lane.rows) {
        placed.push({ row, y });
        y += kRow;
      }
      y += kGap;
    }
    lanesHeight = y;
    endTime = Math.max(1, model.event(model.size).t);
    if (!isChosen) scale = startScale();
  }

  // The step scale, if too many events share the same few points in time.
  function startScale(): Scale {
    const last = model.event(model.size).t;
    if (last === 0) return 'steps';
    const placeOf = (n: number): number => Math.floor((model.event(n).t / last) * 400);
    let places = 0;
    for (let n = 1; n <= model.size; ++places) {
      const place = placeOf(n);
      n = firstWhere(model.size, (i) => placeOf(i + 1) > place) + 1;
    }
    return places >= 100 || model.callbacks.inOrder.length <= 3 * places ? 'time' : 'steps';
  }

  placeLanes();

  // ---- elements
  const canvas = h('canvas', { class: 'lanes', tabindex: '0', role: 'img' });
  const axis = svg(
    'svg',
    { class: 'axis', height: kAxis, 'aria-hidden': 'true' },
    svg('g', { transform: `translate(0 ${kAxis - 1})` }),
  );
  const tip = h('div', { class: 'tip', role: 'presentation' });
  tip.hidden = true;
  const line = h('div', { class: 'playline', 'aria-hidden': 'true' });
  const head = svg('path', { class: 'playhead', d: `M-6 ${kAxis - 9} h12 l-6 8 z` });
  axis.append(head);
  const scroller = h('div', { class: 'lanes-scroll' }, canvas, line);
  box.body.append(axis, scroller, tip);
  const drawing = canvas.getContext('2d');

  const timeButton = h('button', { type: 'button', onclick: () => setScale('time') });
  const stepsButton = h('button', { type: 'button', onclick: () => setScale('steps') });
  const choice = h('div', { class: 'choice', role: 'group' }, timeButton, stepsButton);
  const zoomOut = h('button', { type: 'button', class: 'icon', onclick: () => zoomBy(0.5) }, '−');
  const zoomIn = h('button', { type: 'button', class: 'icon', onclick: () => zoomBy(2) }, '+');
  const all = h('button', { type: 'button', class: 'quiet', onclick: () => fit() });
  box.head.append(h('div', { class: 'tools' }, choice, zoomOut, zoomIn, all));

  // ---- scales
  const base = (): ScaleLinear<number, number> =>
    scaleLinear()
      .domain(scale === 'time' ? [0, endTime] : [1, Math.max(2, model.folds.compress(model.size))])
      .range([kGutter + 10, Math.max(kGutter + 50, width - kRight)]);
  const current_scale = (): ScaleLinear<number, number> => zoomTransform(canvas).rescaleX(base());
  const most = (): number =>
    scale === 'time' ? Math.max(1, endTime / 2000) : Math.max(1, (model.folds.compress(model.size) * 60) / Math.max(200, width));
  const behavior: ZoomBehavior<HTMLCanvasElement, unknown> = zoom<HTMLCanvasElement, unknown>()
    .filter((event: Event) => !(event instanceof MouseEvent && event.type === 'mousedown' && event.button !== 0))
    .clickDistance(6)
    .on('zoom', () => draw());
  const target = select(canvas);
  target.call(behavior).on('dblclick.zoom', null);

  function setBounds(): void {
    behavior
      .scaleExtent([1, most()])
      .extent([
        [kGutter + 10, 0],
        [Math.max(kGutter + 50, width - kRight), lanesHeight],
      ])
      .translateExtent([
        [kGutter + 10, 0],
        [Math.max(kGutter + 50, width - kRight), lanesHeight],
      ]);
  }
  function setScale(next: Scale): void {
    if (next === scale) return;
    isChosen = true;
    scale = next;
    setBounds();
    target.call(behavior.transform, zoomIdentity);
    translate();
    draw();
  }
  function zoomBy(factor: number): void {
    const x = current_scale()(place());
    const inside = x >= kGutter && x <= width;
    target.call(behavior.scaleBy, factor, [inside ? x : (kGutter + width) / 2, 0]);
  }
  function pan(pixels: number): void {
    target.call(behavior.translateBy, -pixels / zoomTransform(canvas).k, 0);
  }
  function fit(): void {
    target.call(behavior.transform, zoomIdentity);
  }
  const place = (): number => (scale === 'time' ? model.event(current).t : model.folds.compress(current));
  const beginOf = (bar: Bar): number => (scale === 'time' ? bar.from : model.folds.compress(bar.first));
  const endOf = (bar: Bar): number => (scale === 'time' ? bar.to : model.folds.compress(bar.last));

  // ---- drawing
  function readColors(): void {
    const theme = context.theme.current;
    colors = knownColors.get(theme) ?? new Map();
    knownColors.set(theme, colors);
    if (colors.size > 0) return;
    const style = getComputedStyle(context.root);
    const read = new Map(
      [
        ...kKinds.map((kind) => `--k-${kind}`),
        '--ink',
        '--muted',
        '--line',
        '--card',
        '--wait',
        '--lost',
        '--accent',
        '--error',
        '--on-kind',
        '--band',
        '--sans',
      ].map((name) => [name, style.getPropertyValue(name).trim()]),
    );
    for (const [name, value] of read) colors.set(name, value);
  }
  const color = (name: string): string => colors.get(name) ?? '#888';
  const fillOf = (kind: Bar['kind']): string =>
    kind === 'wait'
      ? color('--wait')
      : kind === 'lost'
        ? color('--lost')
        : kind === 'error'
          ? color('--error')
          : color(`--k-${kind}`);

  // Index of the first bar that ends at or after `from`.
  function firstIn(bars: Bar[], from: number): number {
    return firstWhere(bars.length, (i) => endOf(bars[i] as Bar) >= from);
  }

  function drawRow(pen: CanvasRenderingContext2D, { row, y: top }: Placed, x: ScaleLinear<number, number>): void {
    const [from, to] = [x.invert(kGutter), x.invert(width)];
    const { bars } = row;
    let drawnTo = -1;
    const rightOf = (bar: Bar): number => Math.max(x(endOf(bar)), x(beginOf(bar)) + 2);
    const isSeen = (bar: Bar): boolean => (row.isMarks ? x(beginOf(bar)) - drawnTo >= 1.5 : rightOf(bar) - drawnTo >= 0.75);
    // What would fall on what is drawn is not gone through: there may be very much of it.
    const nextFrom = (i: number): number => i + firstWhere(bars.length - i, (more) => isSeen(bars[i + more] as Bar));
    for (let i = nextFrom(firstIn(bars, from)); i < bars.length; i = nextFrom(i + 1)) {
      const bar = bars[i];
      if (!bar || beginOf(bar) > to) break;
      const left = x(beginOf(bar));
      if (row.isMarks) {
        pen.fillStyle = fillOf(bar.kind);
        pen.beginPath();
        pen.arc(left, top + kRow / 2, 4, 0, 2 * Math.PI);
        pen.fill();
        drawnTo = left;
        continue;
      }
      const right = rightOf(bar);
      const start = Math.max(left, kGutter, drawnTo);
      drawnTo = right;
      const size = Math.min(right, width) - start;
      if (size <= 0) continue;
      pen.fillStyle = fillOf(bar.kind);
      if (size > 5) {
        pen.beginPath();
        pen.roundRect(start + 0.5, top + 1, size - 1, kRow - 3, 3);
        pen.fill();
      } else {
        pen.fillRect(start, top + 1, Math.max(1, size - (size > 3 ? 1 : 0)), kRow - 3);
      }
      const whole = bar.label ? tr.t(bar.label) : bar.text;
      if (size > 24 && whole) {
        const isWide = /[\u2e80-\uffff]/.test(whole); // Chinese characters are twice as wide
        const room = Math.floor((size - 10) / (isWide ? 12.5 : 6.6));
        const text = whole.length <= room ? whole : room >= (isWide ? 2 : 3) ? whole.slice(0, room - 1) + '…' : '';
        if (text) {
          pen.fillStyle = bar.kind === 'wait' || bar.kind === 'lost' ? color('--ink') : color('--on-kind');
          pen.fillText(text, start + 6, top + kRow / 2);
        }
      }
    }
  }

  function draw(): void {
    if (!drawing || width === 0) return;
    if (colors.size === 0) readColors();
    const pen = drawing;
    const ratio = window.devicePixelRatio || 1;
    const x = current_scale();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, lanesHeight);
    pen.textBaseline = 'middle';
    pen.font = `12px ${color('--sans')}`;

    labels.forEach(({ y: top, rows }, i) => {
      if (i % 2 === 0) {
        pen.fillStyle = color('--band');
        pen.fillRect(0, top - kGap / 2, width, rows * kRow + kGap);
      }
    });
    pen.save();
    pen.beginPath();
    pen.rect(kGutter, 0, width - kGutter, lanesHeight);
    pen.clip();
    for (const one of placed) drawRow(pen, one, x);
    if (scale === 'time') for (const { gap } of model.run.gaps) drawBand(pen, x(gap?.t ?? 0), x(gap?.to ?? 0), gap?.repetitions ?? 0);
    else for (const fold of model.folds.closed) drawBand(pen, x(model.folds.compress(fold.first)), x(model.folds.compress(fold.last + 1)), fold.count);
    pen.restore();

    pen.textAlign = 'right';
    pen.fillStyle = color('--muted');
    for (const { lane, y: top } of labels) pen.fillText(lane.name(tr), kGutter - 10, top + kRow / 2);
    pen.textAlign = 'left';
    drawAxis(x);
    movePlayhead(x(place()));
  }

  // In the next frame, when all other views have changed, too: a canvas that is given its font has the page laid out.
  let drawn = 0;
  function drawSoon(): void {
    drawn ||= requestAnimationFrame(() => {
      drawn = 0;
      if (!context.ends.aborted) draw();
    });
  }

  // What is folded, or is not in the page: a band across all lanes, with its count.
  function drawBand(pen: CanvasRenderingContext2D, from: number, to: number, repetitions: number): void {
    const [left, right] = [Math.max(from, kGutter), Math.min(to, width)];
    if (right - left < 1) return;
    pen.globalAlpha = 0.85;
    pen.fillStyle = color('--band');
    pen.fillRect(left, 0, right - left, lanesHeight);
    pen.globalAlpha = 1;
    pen.strokeStyle = color('--muted');
    pen.setLineDash([4, 3]);
    pen.strokeRect(left + 0.5, 0.5, right - left - 1, lanesHeight - 1);
    pen.setLineDash([]);
    const text = `⋯ ${count(repetitions)} ×`;
    if (pen.measureText(text).width > right - left - 4) return;
    pen.fillStyle = color('--ink');
    pen.textAlign = 'center';
    pen.fillText(text, (left + right) / 2, lanesHeight / 2);
    pen.textAlign = 'left';
  }

  // When the event changes the lanes are not redrawn: only the playhead moves.
  function movePlayhead(at: number): void {
    const visibility = at >= kGutter - 6 && at <= width ? 'visible' : 'hidden';
    line.style.transform = `translateX(${at - 1}px)`;
    line.style.visibility = visibility;
    head.setAttribute('transform', `translate(${at} 0)`);
    head.setAttribute('visibility', visibility);
  }

  function drawAxis(x: ScaleLinear<number, number>): void {
    axis.setAttribute('width', String(width));
    const group = select(axis).select<SVGGElement>('g');
    // d3 chooses round numbers in the domain: scale to milliseconds first.
    const shown = scale === 'time' ? x.copy().domain(x.domain().map((value) => value / 1e6)) : x;
    const ticks = axisTop(shown)
      .ticks(Math.max(2, Math.floor((width - kGutter) / 110)))
      .tickSizeOuter(0)
      .tickFormat((value) =>
        scale === 'time'
          ? `${shortMs(Math.round(Number(value) * 1e6))}${Number(value) >= 1000 ? '' : ' ms'}`
          : Number.isInteger(Number(value))
            ? String(model.numberOf(Math.min(Math.max(1, Math.round(model.folds.expand(Number(value)))), model.size)))
            : '',
      );
    group.call(ticks);
  }

  // ---- pointer
  function barAt(event: MouseEvent): Bar | null {
    const area = canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - area.left, event.clientY - area.top];
    const one = placed.find(({ y: top }) => py >= top && py < top + kRow);
    if (!one || px < kGutter) return null;
    const x = current_scale();
    const slack = 5;
    let best: Bar | null = null;
    let nearest = slack;
    for (let i = Math.max(0, firstIn(one.row.bars, x.invert(px - slack))); i < one.row.bars.length; ++i) {
      const bar = one.row.bars[i];
      if (!bar) break;
      const [left, right] = [x(beginOf(bar)), x(endOf(bar))];
      if (left > px + slack) break;
      const distance = px < left ? left - px : px > right ? px - right : 0;
      if (distance < nearest || (distance === 0 && best === null)) {
        best = bar;
        nearest = distance;
        if (distance === 0) break;
      }
    }
    return best;
  }

  // The closed fold under the pointer.
  function foldAt(event: MouseEvent): Fold | undefined {
    if (scale === 'time') return undefined;
    const px = event.clientX - canvas.getBoundingClientRect().left;
    return px < kGutter ? undefined : model.folds.closedAt(Math.floor(model.folds.expand(current_scale().invert(px))));
  }
  model.onFold(() => {
    setBounds();
    draw();
  });

  canvas.addEventListener('click', (event) => {
    const fold = foldAt(event);
    if (fold) {
      model.folds.toggle(fold);
      return;
    }
    const bar = barAt(event);
    if (bar) {
      player.jump(bar.event);
      return;
    }
    const px = event.clientX - canvas.getBoundingClientRect().left;
    if (px < kGutter) return;
    const value = current_scale().invert(px);
    const n = scale === 'time' ? model.eventAt(value) : Math.round(model.folds.expand(value));
    player.jump(model.steps.towards(n, player.n));
  });
  canvas.addEventListener('pointermove', (event) => {
    const isMouse = event.pointerType === 'mouse';
    const fold = isMouse ? foldAt(event) : undefined;
    const bar = isMouse && !fold ? barAt(event) : null;
    const words = fold ? foldWords(model, fold, tr) : bar?.words(tr, bar);
    canvas.style.cursor = words ? 'pointer' : '';
    tip.hidden = !words;
    if (!words) return;
    tip.textContent = words;
    const area = box.body.getBoundingClientRect();
    const left = Math.min(event.clientX - area.left + 12, area.width - tip.offsetWidth - 8);
    tip.style.transform = `translate(${Math.max(4, left)}px, ${event.clientY - area.top + 14}px)`;
  });
  canvas.addEventListener('pointerleave', () => {
    tip.hidden = true;
  });

  function setSize(next: number): void {
    width = Math.floor(next);
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(lanesHeight * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${lanesHeight}px`;
    line.style.height = `${lanesHeight}px`;
    setBounds();
  }
  onResize(scroller, context.ends, (next) => {
    if (next === 0) return;
    setSize(next);
    draw();
  });
  context.theme.onChange(() => {
    readColors();
    draw();
  }, context.ends);

  function showScale(): void {
    timeButton.setAttribute('aria-pressed', String(scale === 'time'));
    stepsButton.setAttribute('aria-pressed', String(scale === 'steps'));
  }
  function translate(): void {
    box.translate();
    timeButton.textContent = tr.t('timeline.time');
    stepsButton.textContent = tr.t('timeline.steps');
    showScale();
    choice.setAttribute('aria-label', tr.t('timeline.scale'));
    for (const [button, word] of [
      [zoomIn, 'timeline.zoomIn'],
      [zoomOut, 'timeline.zoomOut'],
    ] as const) {
      button.setAttribute('aria-label', tr.t(word));
      button.title = tr.t(word);
    }
    all.textContent = tr.t('timeline.fit');
    draw();
  }
  translate();

  // Another run: all of it is shown, on the scale that the reader has chosen.
  function load(): void {
    const [height, before] = [lanesHeight, scale];
    current = Math.min(current, model.size); // until show()
    placeLanes();
    setBounds();
    if (zoomTransform(canvas).k > 1) target.call(behavior.transform, zoomIdentity);
    if (scale !== before) showScale();
    if (lanesHeight !== height && width > 0) setSize(width);
    drawSoon();
  }

  return {
    element: box.element,
    translate,
    load,
    zoomBy,
    pan,
    fit,
    toggleScale: () => setScale(scale === 'time' ? 'steps' : 'time'),
    show: ({ state }) => {
      current = state.n;
      canvas.setAttribute(
        'aria-label',
        `${tr.t('timeline.label')} ${ms(state.event.t)} ms: ${eventWords(model, state.event, tr)}`,
      );
      if (width === 0) return;
      const at = current_scale()(place());
      const k = zoomTransform(canvas).k;
      if (k > 1 && (at < kGutter + 20 || at > width - kRight - 10)) {
        target.call(behavior.translateTo, base()(place()), 0); // draws
      } else {
        movePlayhead(at);
      }
    },
  };
}
