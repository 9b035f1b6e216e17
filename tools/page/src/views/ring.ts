// The ring of phases, with the current one highlighted.
import type { Context, View } from '../context';
import { setAttribute, setText, svg } from '../dom';
import { mainWord, phaseWord, placeWord } from '../event_words';
import { ms } from '../format';
import type { Word } from '../i18n';
import { kindOfPhase, type Kind } from '../kinds';
import type { State } from '../model/state';
import type { TraceEvent } from '../model/types';
import { panel } from './panel';

// In the order of the clock, from the top.
const kStations = ['timers', 'pending', 'idle', 'poll', 'check', 'closing'] as const;
const kOfBrowser = ['task', 'rendering', 'idlePeriod'] as const;
type Station = (typeof kStations)[number] | (typeof kOfBrowser)[number];
const kCenter = { x: 220, y: 166, rx: 134, ry: 120 };
const kPill = { width: 118, height: 40 };

// The stations of one kind of loop.
interface Ring {
  stations: Map<Station, Pill>;
  parts: SVGElement[];
}

interface Pill {
  group: SVGGElement;
  label: SVGTextElement;
  badge: SVGGElement;
  badgeText: SVGTextElement;
}

// The badge stands at a corner outwards, so that it covers nothing within the ring.
function pill(kind: string, x: number, y: number, width: number = kPill.width, height: number = kPill.height, side = 1): Pill {
  const label = svg('text', { class: 'station-name', y: 5, 'text-anchor': 'middle' });
  const badgeText = svg('text', { class: 'badge-text', y: 4, 'text-anchor': 'middle' });
  const badge = svg(
    'g',
    { class: 'badge', transform: `translate(${side * (width / 2 - 4)} ${-height / 2 + 1})` },
    svg('rect', { x: -13, y: -10, width: 26, height: 20, rx: 10 }),
    badgeText,
  );
  const group = svg(
    'g',
    { class: `station k-${kind}`, transform: `translate(${x} ${y})` },
    svg('rect', { class: 'station-box', x: -width / 2, y: -height / 2, width, height, rx: height / 2 }),
    label,
    badge,
  );
  return { group, label, badge, badgeText };
}

function setBadge(one: Pill, value: number): void {
  setAttribute(one.badge, 'visibility', value > 0 ? 'visible' : 'hidden');
  setText(one.badgeText, value > 999 ? '999+' : String(value));
}

export function ringView(context: Context): View {
  const { model, tr } = context;
  const box = panel(context, 'loop', 'panel.loop');
  const place = (angle: number): [number, number] => [
    kCenter.x + kCenter.rx * Math.cos((angle * Math.PI) / 180),
    kCenter.y + kCenter.ry * Math.sin((angle * Math.PI) / 180),
  ];

  const arrow = (angle: number): SVGPathElement => {
    const [x, y] = place(angle);
    const slope =
      (Math.atan2(kCenter.ry * Math.cos((angle * Math.PI) / 180), -kCenter.rx * Math.sin((angle * Math.PI) / 180)) *
        180) /
      Math.PI;
    return svg('path', {
      class: 'ring-arrow',
      d: 'M-5 -6 L5 0 L-5 6',
      transform: `translate(${x} ${y}) rotate(${slope})`,
    });
  };
  // `end`: the way from the last station to the end.
  const ringOf = (names: readonly Station[], angles: number[], end: string): Ring => {
    const stations = new Map<Station, Pill>();
    names.forEach((station, i) => {
      const [x, y] = place(-90 + (360 / names.length) * i);
      const isLeft = x < kCenter.x - kPill.width / 2;
      stations.set(station, pill(kindOfPhase(station), x, y, kPill.width, kPill.height, isLeft ? -1 : 1));
    });
    const groups = [...stations.values()].map((one) => one.group);
    return { stations, parts: [svg('path', { class: 'ring-way', d: end }), ...angles.map(arrow), ...groups] };
  };
  const phases = ringOf(kStations, [-54, 0, 54, 126, 180, 234], `M${kCenter.x - kPill.width / 2 - 4} 294 H120`);
  const ofBrowser = ringOf(kOfBrowser, [-24, 90, 204], 'M88 250 V281');
  const layer = svg('g', {});
  let ring: Ring | null = null; // that is shown
  const main = pill('main', 60, 30, 114, 34);
  const exit = pill('other', 60, 302, 114, 34);
  const ticks = pill('ticks', kCenter.x, 208, 104, 22);
  const microtasks = pill('microtasks', kCenter.x, 234, 104, 22);
  for (const one of [ticks, microtasks]) one.group.classList.add('small');

  const turn = svg('text', { class: 'ring-turn', x: kCenter.x, y: 139, 'text-anchor': 'middle' });
  const time = svg('text', { class: 'ring-time', x: kCenter.x, y: 165, 'text-anchor': 'middle' });
  const loopTime = svg('text', { class: 'ring-loop', x: kCenter.x, y: 184, 'text-anchor': 'middle' });
  const picture = svg(
    'svg',
    { class: 'ring', viewBox: '0 0 440 326', role: 'img' },
    svg('path', { class: 'ring-way', d: `M120 30 H${kCenter.x - kPill.width / 2 - 4}` }),
    svg('ellipse', { class: 'ring-path', cx: kCenter.x, cy: kCenter.y, rx: kCenter.rx, ry: kCenter.ry }),
    layer,
    ...[main, exit, ticks, microtasks].map((one) => one.group),
    turn,
    time,
    loopTime,
  );
  box.body.append(picture);

  const translate = (): void => {
    box.translate();
    for (const { stations } of [phases, ofBrowser])
      for (const [station, one] of stations) setText(one.label, tr.t(phaseWord(model, station)));
    setText(main.label, tr.t(mainWord(model)));
    setText(exit.label, tr.t(phaseWord(model, 'exit')));
  };
  translate();

  const light = (one: Pill, isLive: boolean): void => {
    one.group.classList.toggle('is-live', isLive);
  };

  const show = (state: State): void => {
    const { event, queues } = state;
    const shown = model.isBrowser ? ofBrowser : phases;
    if (shown !== ring) layer.replaceChildren(...shown.parts);
    ring = shown;
    const live: Kind | null = event.ev === 'wait' ? null : kindOfPhase(event.phase);
    for (const [station, one] of ring.stations) light(one, live === kindOfPhase(station));
    light(main, live === 'main');
    light(exit, live === 'other');
    const waiting: Record<Station, number> = {
      timers: queues.timers.length,
      pending: queues.pending.length,
      idle: queues.idle.length + queues.prepare.length,
      poll: queues.ready.length + queues.network.length + queues.pool.length,
      check: queues.immediates.length + queues.check.length,
      closing: queues.closing.length,
      task: queues.tasks.length,
      rendering: queues.frames.length,
      idlePeriod: queues.idles.length,
    };
    for (const [station, one] of ring.stations) setBadge(one, waiting[station]);
    setAttribute(ticks.group, 'visibility', model.isLibuvAlone || model.isBrowser ? 'hidden' : 'visible');
    setAttribute(microtasks.group, 'visibility', model.isLibuvAlone ? 'hidden' : 'visible');
    setText(main.label, tr.t(mainWord(model)));
    setText(exit.label, tr.t(phaseWord(model, 'exit')));
    setBadge(main, 0);
    setBadge(exit, 0);
    setBadge(ticks, 0);
    setBadge(microtasks, 0);
    light(ticks, state.draining === 'ticks');
    light(microtasks, state.draining === 'microtasks');
    setText(ticks.label, label('ring.ticks', queues.ticks.length));
    setText(microtasks.label, label('ring.microtasks', queues.microtasks.length));
    setText(turn, event.turn ? tr.t('ring.turn', event.turn) : tr.t('ring.before'));
    setText(time, `${ms(event.t)} ms`);
    setText(loopTime, loopWords(event));
    setAttribute(picture, 'aria-label', tr.t('ring.label', tr.t(placeWord(model, event)), event.turn));
  };
  // A browser's loop has no time of its own, but it sleeps.
  const loopWords = (event: TraceEvent): string => {
    if (!model.isBrowser) return tr.t('ring.loopTime', event.loop);
    return event.ev === 'wait' ? tr.t('ring.slept', ms(event.slept ?? 0)) : '';
  };
  const label = (word: Word, value: number): string => (value ? `${tr.t(word)} ${value}` : tr.t(word));

  return { element: box.element, translate, show: ({ state }) => show(state) };
}
