// The viewer of one run: a component that main.ts makes a whole page of, and the playground a part of one. It takes away
// whatever it has begun when it is disposed of.
import type { Context, View } from './context';
import { h } from './dom';
import { eventWords } from './event_words';
import type { Translator, Word } from './i18n';
import { listenToKeys } from './keys';
import { Listeners } from './listeners';
import { Model } from './model/model';
import type { Run } from './model/types';
import { Player } from './player';
import type { ThemeChoice } from './theme';
import { consoleView } from './views/console';
import { controlsView } from './views/controls';
import { eventsView } from './views/events';
import { headerView } from './views/header';
import { helpDialog } from './views/help';
import { nowView } from './views/now';
import { predictView } from './views/predict';
import { queuesView } from './views/queues';
import { ringView } from './views/ring';
import { searchDialog } from './views/search';
import { sourceView } from './views/source';
import { stackView } from './views/stack';
import { timelineView } from './views/timeline';
import { variablesView } from './views/variables';
import { whyView } from './views/why';

// The panels; a narrow viewer shows one at a time.
const kTabs = [
  ['predict', 'panel.predict'],
  ['loop', 'panel.loop'],
  ['source', 'panel.source'],
  ['variables', 'panel.variables'],
  ['queues', 'panel.queues'],
  ['why', 'panel.why'],
  ['console', 'panel.console'],
  ['timeline', 'panel.timeline'],
  ['events', 'panel.events'],
] as const satisfies readonly (readonly [string, Word])[];

// Where a viewer is, as a link names it: an event by its number in the trace, and a step of the program behind it.
export interface Place {
  event: number;
  stop: number;
}

// What the reader has chosen to see, which the viewer of the next run takes over.
export interface Look {
  tab: string;
  lower: 'console' | 'events';
  speed: number;
}

export interface ViewerOptions {
  tr: Translator;
  theme: ThemeChoice;
  place?: Place | 'end' | null; // where it begins; otherwise at the first step
  look?: Look;
  predict?: boolean; // begins with the questions
  isPage?: boolean; // the viewer is the whole page: it has its landmarks, and the choice of language and theme
  prefix?: string; // of the ids
  hasEditor?: boolean; // a program in JavaScript stands beside the viewer already: it does not show it again
  hasKeys?: boolean; // false: the keyboard is for another viewer of the page
}

export interface Viewer {
  readonly element: HTMLElement;
  readonly model: Model;
  readonly place: Place;
  readonly look: Look;
  readonly line: number; // of the program's file, where the run is; 0: nowhere
  readonly isPredicting: boolean;
  readonly isAtEnd: boolean;
  // Shows another run in the place of this one, with what the reader has chosen. False: it has other parts than this viewer.
  load(run: Run, place: Place | 'end'): boolean;
  go(place: Place): void;
  predict(isOn: boolean): void;
  onMove(listener: () => void): void;
  dispose(): void;
}

function startOf(model: Model, place: Place | 'end' | null): [n: number, stop: number] {
  if (place === null) return [model.steps.first, 0];
  if (place === 'end') return [model.steps.last, model.stopsAfter(model.steps.last)];
  return model.placeOfLink(place.event, place.stop);
}

export function mountViewer(root: HTMLElement, run: Run, options: ViewerOptions): Viewer {
  const { tr, theme, isPage = false, prefix = '' } = options;
  const life = new AbortController();
  const ends = life.signal;
  const model = new Model(run);
  const [start, startStop] = startOf(model, options.place ?? null);
  const player = new Player(model, start, startStop);
  const viewer = h('div', { class: 'viewer' });
  const context: Context = { model, player, tr, theme, root: viewer, ends, id: (name) => prefix + name };
  const frame = h('div', { class: 'viewer-frame' }, viewer);

  const search = searchDialog(context);
  const help = helpDialog(context);
  const timeline = timelineView(context);
  const predict = predictView(context);
  const header = headerView(context, help.toggle, predict, isPage);
  const now = nowView(context);
  const ring = ringView(context);
  const stack = stackView(context);
  const isEdited = (one: Run): boolean => (options.hasEditor ?? false) && one.isScript;
  const source = sourceView(context, isEdited);
  const console_ = consoleView(context);
  const events = eventsView(context);
  const queues = queuesView(context);
  const why = whyView(context);
  const variables = variablesView(context);
  const controls = controlsView(context, search.open);
  const views: View[] = [header, now, ring, stack, source, console_, events, queues, why, timeline, controls, predict];
  if (model.program.hasSteps) views.push(variables);
  viewer.toggleAttribute('data-steps', model.program.hasSteps);
  viewer.toggleAttribute('data-lines', model.program.hasLines);
  viewer.toggleAttribute('data-edited', isEdited(run));

  // ---- layout
  const tabs = kTabs.map(([name, word]) => ({
    name,
    word,
    button: h('button', {
      type: 'button',
      class: `tab-${name}`,
      'aria-controls': context.id(name),
      onclick: () => showTab(name),
    }),
  }));
  const nav = h('nav', { class: 'tabs' }, ...tabs.map(({ button }) => button));
  // On a wide screen console and events share a panel.
  const consoleTab = h('button', { type: 'button', onclick: () => showLower('console') });
  const eventsTab = h('button', { type: 'button', onclick: () => showLower('events') });
  const lower = h('div', { class: 'choice lower-choice', role: 'group' }, consoleTab, eventsTab);
  const live = h('p', { class: 'sr-only', role: 'status', 'aria-live': 'polite' });
  const middle = h('div', { class: 'middle', tabindex: '0', role: 'group' }, now.element, ring.element, stack.element);
  const below = h('div', { class: 'below' }, console_.element, events.element, variables.element);
  const left = h('div', { class: 'left' }, source.element, lower, below);
  const right = h('div', { class: 'right' }, predict.element, why.element, queues.element);
  viewer.append(
    header.element,
    h(isPage ? 'main' : 'div', { class: 'panels' }, left, middle, right, timeline.element),
    nav,
    h(isPage ? 'footer' : 'div', { class: 'foot' }, controls.element),
    live,
    search.element,
    help.element,
  );

  const shown = { tab: options.look?.tab ?? 'loop', lower: options.look?.lower ?? 'console' };
  function showTab(name: string): void {
    chooseTab(name);
    tabs.find((tab) => tab.name === name)?.button.scrollIntoView({ block: 'nearest', inline: 'center' });
    player.refresh();
  }
  function chooseTab(name: string): void {
    shown.tab = name;
    viewer.dataset.tab = name;
    for (const tab of tabs) tab.button.setAttribute('aria-pressed', String(tab.name === name));
  }
  function showLower(name: 'console' | 'events'): void {
    chooseLower(name);
    player.refresh();
  }
  function chooseLower(name: 'console' | 'events'): void {
    shown.lower = name;
    viewer.dataset.lower = name;
    consoleTab.setAttribute('aria-pressed', String(name === 'console'));
    eventsTab.setAttribute('aria-pressed', String(name === 'events'));
  }

  // ---- updates
  const moved = new Listeners();
  let announcement = 0;
  const announce = (): void => {
    window.clearTimeout(announcement);
    announcement = window.setTimeout(() => {
      if (!player.isPlaying)
        live.textContent = tr.t(
          'now.announce',
          player.stop ? `${model.numberOf(player.n)}.${player.stop}` : model.numberOf(player.n),
          model.lastNumber,
          eventWords(model, player.position.step ?? model.event(player.n), tr),
        );
    }, 300);
  };
  player.onMove((position) => {
    for (const view of views) view.show(position);
    for (const view of views) view.settle?.();
    moved.tell();
    announce();
  });
  const translate = (): void => {
    for (const view of views) view.translate();
    search.translate();
    help.translate();
    nav.setAttribute('aria-label', tr.t('tabs.label'));
    middle.setAttribute('aria-label', tr.t('panel.loop'));
    for (const tab of tabs) tab.button.textContent = tr.t(tab.word);
    consoleTab.textContent = tr.t('panel.console');
    eventsTab.textContent = tr.t('panel.events');
  };
  tr.onChange(() => {
    translate();
    player.refresh();
  }, ends);
  model.onFold(() => player.refresh());
  if (options.hasKeys ?? true)
    listenToKeys(context, {
      timeline,
      search: search.open,
      help: help.toggle,
      predict,
      isModal: () => search.element.open || help.element.open,
    });

  predict.onToggle(() => showTab(predict.isOn ? 'predict' : 'loop'));
  if (options.look) player.setSpeed(options.look.speed);
  translate();
  chooseTab(shown.tab);
  chooseLower(shown.lower);
  // Only now does it come into the page: what is built outside costs no layout.
  root.replaceChildren(frame);
  if (shown.tab === 'loop') player.refresh();
  else showTab(shown.tab);
  predict.set(options.predict ?? false);

  return {
    element: frame,
    model,
    get place() {
      return { event: model.numberOf(player.n), stop: player.stop };
    },
    get look() {
      return { ...shown, speed: player.speed };
    },
    get line() {
      return source.line;
    },
    get isPredicting() {
      return predict.isOn;
    },
    get isAtEnd() {
      return player.isAtEnd;
    },
    load: (next, place) => {
      const { hasSteps, hasLines } = model.program;
      const former = model.run;
      if (predict.isOn || isEdited(next) !== isEdited(former)) return false;
      model.load(next);
      if (model.program.hasSteps !== hasSteps || model.program.hasLines !== hasLines) {
        model.load(former);
        return false;
      }
      player.load(...startOf(model, place));
      for (const view of views) view.load?.();
      player.refresh();
      return true;
    },
    go: (place) => {
      player.pause();
      player.go(...model.placeOfLink(place.event, place.stop));
    },
    predict: predict.set,
    onMove: (listener) => moved.add(listener, ends),
    dispose: () => {
      player.pause();
      window.clearTimeout(announcement);
      life.abort();
      frame.remove();
    },
  };
}
