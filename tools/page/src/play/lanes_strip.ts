// The timeline of one of two runs that are compared: the lanes of the viewer's timeline as a still picture, on a time axis that
// both runs share, with the moment that is looked at and the first difference.
import { scaleLinear } from 'd3-scale';
import { h, svg } from '../dom';
import { shortMs } from '../format';
import type { Translator } from '../i18n';
import type { Model } from '../model/model';
import { makeLanes, type Bar, type Row } from '../views/lanes';

const kGutter = 92;
const kRow = 16;
const kGap = 4;
const kAxis = 20;
const kRight = 34;

export interface LanesStrip {
  readonly element: HTMLElement;
  draw(width: number): void;
  setPlace(t: number | null): void; // ns
  setDifference(t: number | null): void;
}

export function lanesStrip(model: Model, tr: Translator, end: number): LanesStrip {
  const element = h('div', { class: 'strip' });
  let scale = scaleLinear().domain([0, Math.max(1, end)]);
  const place = svg('line', { class: 'strip-place' });
  const difference = svg('line', { class: 'strip-difference' });
  const at: { place: number | null; difference: number | null } = { place: null, difference: null };
  let height = 0;

  function bar(one: Bar, isMark: boolean, y: number): SVGElement {
    const [from, to] = [scale(one.from), scale(one.to)];
    const isKind = one.kind !== 'wait' && one.kind !== 'lost' && one.kind !== 'error';
    const box = svg(
      'rect',
      {
        class: `strip-bar ${isKind ? `k-${one.kind}` : `is-${one.kind}`}`,
        x: isMark ? from - 2.5 : from,
        y: y + (isMark ? 4 : 1),
        width: isMark ? 5 : Math.max(1.5, to - from),
        height: isMark ? kRow - 8 : kRow - 2,
        rx: isMark ? 2.5 : 2,
      },
      svg('title', {}, one.words(tr, one)),
    );
    const text = one.label ? tr.t(one.label) : one.text;
    const room = Math.floor((to - from - 8) / 7);
    if (isMark || !text || room < 3) return box;
    const words = text.length <= room ? text : `${text.slice(0, room - 1)}…`;
    return svg('g', {}, box, svg('text', { class: isKind ? 'strip-text' : 'strip-text is-plain', x: from + 4, y: y + 12 }, words));
  }
  // Of bars on the same pixel the first is drawn: at most one a pixel.
  function barsOf({ bars, isMarks }: Row, y: number): SVGElement[] {
    const drawn: SVGElement[] = [];
    let last = -1;
    for (const one of bars) {
      const pixel = Math.round(scale(one.to));
      if (pixel === last) continue;
      last = pixel;
      drawn.push(bar(one, isMarks, y));
    }
    return drawn;
  }
  function showLines(): void {
    for (const [line, t] of [
      [place, at.place],
      [difference, at.difference],
    ] as const) {
      line.setAttribute('visibility', t === null ? 'hidden' : 'visible');
      const x = scale(t ?? 0);
      for (const [name, value] of [
        ['x1', x],
        ['x2', x],
        ['y1', 0],
        ['y2', height],
      ] as const)
        line.setAttribute(name, String(value));
    }
  }

  return {
    element,
    draw: (width) => {
      scale = scale.copy().range([kGutter + 6, Math.max(kGutter + 60, width - kRight)]);
      const parts: SVGElement[] = [];
      let y = 2;
      for (const lane of makeLanes(model)) {
        parts.push(svg('text', { class: 'strip-name', x: kGutter - 4, y: y + 12, 'text-anchor': 'end' }, lane.name(tr)));
        for (const row of lane.rows) {
          parts.push(...barsOf(row, y));
          y += kRow;
        }
        y += kGap;
      }
      height = y;
      // d3 chooses round numbers in the domain: milliseconds.
      const inMs = scale.copy().domain([0, Math.max(1, end) / 1e6]);
      const ticks = inMs.ticks(Math.max(2, Math.floor((width - kGutter) / 90))).flatMap((value) => [
        svg('line', { class: 'sweep-grid', x1: inMs(value), x2: inMs(value), y1: 0, y2: y }),
        svg('text', { class: 'strip-tick', x: inMs(value), y: y + 14, 'text-anchor': 'middle' }, `${shortMs(Math.round(value * 1e6))} ms`),
      ]);
      const picture = svg('svg', { width, height: y + kAxis, role: 'img', 'aria-label': tr.t('timeline.label') }, ...ticks, ...parts, difference, place);
      element.replaceChildren(picture);
      showLines();
    },
    setPlace: (t) => {
      at.place = t;
      showLines();
    },
    setDifference: (t) => {
      at.difference = t;
      showLines();
    },
  };
}
