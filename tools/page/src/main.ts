// The page of `--format html`: the viewer of the run that the program has put into the page, and the page's address.
import './style.css';
import { Translator } from './i18n';
import { LinkKeeper, readLink } from './link';
import { readRun } from './model/data';
import { longRun } from './model/long_run';
import { ThemeChoice } from './theme';
import { mountViewer } from './viewer';

function textOf(id: string): string {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no data (${id})`);
  return element.textContent ?? '';
}

function start(): void {
  const root = document.getElementById('app');
  if (!root) throw new Error('the page has no place for the viewer');
  const link = readLink(location.hash);
  const long = longRun((id) => document.getElementById(id)?.textContent ?? '');
  const run = readRun(textOf('trace'), textOf('run'), () => textOf('explanations'), long);
  const ofBrowser = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
  const tr = new Translator(link.language ?? run.language ?? ofBrowser);
  const theme = new ThemeChoice(link.theme);
  let languageChosen = link.language !== null;

  const translate = (): void => {
    document.documentElement.lang = tr.language === 'zh' ? 'zh-CN' : 'en';
    document.title = run.header.scenario ? `${run.header.scenario} · loopsim` : 'loopsim';
  };
  tr.onChange(() => {
    languageChosen = true;
    translate();
  });
  translate();
  const viewer = mountViewer(root, run, {
    tr,
    theme,
    place: link.event ? { event: link.event, stop: link.stop } : null,
    predict: link.predict,
    isPage: true,
  });

  const keeper = new LinkKeeper(() => ({
    ...viewer.place,
    predict: viewer.isPredicting,
    language: languageChosen ? tr.language : null,
    theme: theme.explicit,
  }));
  viewer.onMove(() => keeper.update());
  theme.onChange(() => keeper.update());
  keeper.update();
  window.addEventListener('hashchange', () => {
    const next = readLink(location.hash);
    if (next.theme) theme.set(next.theme);
    if (next.language) tr.set(next.language);
    viewer.predict(next.predict);
    const { event, stop } = viewer.place;
    if (next.event && !next.predict && (next.event !== event || next.stop !== stop))
      viewer.go({ event: next.event, stop: next.stop });
  });
  document.documentElement.dataset.ready = 'yes';
}

start();
