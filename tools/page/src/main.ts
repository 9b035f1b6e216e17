// Assembles the page.
import './style.css';
import type { Context, View } from './context';
import { h } from './dom';
import { eventWords } from './event_words';
import { Translator, type Word } from './i18n';
import { listenToKeys } from './keys';
import { LinkKeeper, readLink } from './link';
import { readRun } from './model/data';
import { Model } from './model/model';
import { Player } from './player';
import { ThemeChoice } from './theme';
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

// The panels; a narrow screen shows one at a time.
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

function textOf(id: string): string {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no data (${id})`);
  return element.textContent ?? '';
}

function start(): void {
  const link = readLink(location.hash);
  const run = readRun(textOf('trace'), textOf('run'), () => textOf('explanations'));
  const model = new Model(run);
  const ofBrowser = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
  const tr = new Translator(link.language ?? run.language ?? ofBrowser);
  const theme = new ThemeChoice(link.theme);
  const [place, stop] = link.event ? model.placeOfLink(link.event, link.stop) : [model.steps.first, 0];
  const player = new Player(model, place, stop);
  const context: Context = { model, player, tr, theme };
  let languageChosen = link.language !== null;

  const search = searchDialog(context);
  const help = helpDialog(context);
  const timeline = timelineView(context);
  const predict = predictView(context);
  const header = headerView(context, help.toggle, predict);
  const now = nowView(context);
  const ring = ringView(context);
  const stack = stackView(context);
  const source = sourceView(context);
  const console_ = consoleView(context);
  const events = eventsView(context);
  const queues = queuesView(context);
  const why = whyView(context);
  const variables = variablesView(context);
  const controls = controlsView(context, search.open);
  const views: View[] = [header, now, ring, stack, source, console_, events, queues, why, timeline, controls];
  if (model.program.hasSteps) views.push(variables);
  document.body.toggleAttribute('data-steps', model.program.hasSteps);
  document.body.toggleAttribute('data-lines', model.program.hasLines);

  // ---- layout
  const tabs = kTabs.map(([name, word]) => ({
    name,
    word,
    button: h('button', { type: 'button', class: `tab-${name}`, 'aria-controls': name, onclick: () => showTab(name) }),
  }));
  const nav = h('nav', { class: 'tabs' }, ...tabs.map(({ button }) => button));
  // On a wide screen console and events share a panel.
  const consoleTab = h('button', { type: 'button', onclick: () => showLower('console') });
  const eventsTab = h('button', { type: 'button', onclick: () => showLower('events') });
  const lower = h('div', { class: 'choice lower-choice', role: 'group' }, consoleTab, eventsTab);
  const live = h('p', { class: 'sr-only', role: 'status', 'aria-live': 'polite' });
  const middle = h('div', { class: 'middle' }, now.element, ring.element, stack.element);
  const below = h('div', { class: 'below' }, console_.element, events.element, variables.element);
  const left = h('div', { class: 'left' }, source.element, lower, below);
  const right = h('div', { class: 'right' }, predict.element, why.element, queues.element);
  const main = h('main', { class: 'panels' }, left, middle, right, timeline.element);
  const app = document.getElementById('app');
  app?.replaceChildren(
    header.element,
    main,
    nav,
    h('footer', {}, controls.element),
    live,
    search.element,
    help.element,
  );

  function showTab(name: string): void {
    document.body.dataset.tab = name;
    for (const tab of tabs) {
      tab.button.setAttribute('aria-pressed', String(tab.name === name));
      if (tab.name === name) tab.button.scrollIntoView({ block: 'nearest', inline: 'center' });
    }
    player.refresh();
  }
  function showLower(name: 'console' | 'events'): void {
    document.body.dataset.lower = name;
    consoleTab.setAttribute('aria-pressed', String(name === 'console'));
    eventsTab.setAttribute('aria-pressed', String(name === 'events'));
    player.refresh();
  }

  // ---- updates
  const keeper = new LinkKeeper(() => ({
    event: model.numberOf(player.n),
    stop: player.stop,
    predict: predict.isOn,
    language: languageChosen ? tr.language : null,
    theme: theme.explicit,
  }));
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
    keeper.update();
    announce();
  });
  const translate = (): void => {
    document.documentElement.lang = tr.language === 'zh' ? 'zh-CN' : 'en';
    document.title = run.header.scenario ? `${run.header.scenario} · loopsim` : 'loopsim';
    for (const view of views) view.translate();
    search.translate();
    help.translate();
    predict.translate();
    nav.setAttribute('aria-label', tr.t('tabs.label'));
    for (const tab of tabs) tab.button.textContent = tr.t(tab.word);
    consoleTab.textContent = tr.t('panel.console');
    eventsTab.textContent = tr.t('panel.events');
  };
  tr.onChange(() => {
    languageChosen = true;
    translate();
    player.refresh();
  });
  theme.onChange(() => keeper.update());
  model.folds.onChange(() => player.refresh());
  window.addEventListener('hashchange', () => {
    const next = readLink(location.hash);
    if (next.theme) theme.set(next.theme);
    if (next.language) tr.set(next.language);
    predict.set(next.predict);
    const isElsewhere = next.event !== model.numberOf(player.n) || next.stop !== player.stop;
    if (next.event && !next.predict && isElsewhere) {
      player.pause();
      player.go(...model.placeOfLink(next.event, next.stop));
    }
  });
  listenToKeys(context, {
    timeline,
    search: search.open,
    help: help.toggle,
    predict,
    isModal: () => search.element.open || help.element.open,
  });

  predict.onToggle(() => showTab(predict.isOn ? 'predict' : 'loop'));
  translate();
  document.body.dataset.lower = 'console';
  document.body.dataset.tab = 'loop';
  showLower('console');
  showTab('loop');
  predict.set(link.predict);
  document.documentElement.dataset.ready = 'yes';
}

start();
