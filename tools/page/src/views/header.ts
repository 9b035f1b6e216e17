// The page's header: description of the run, language, theme, help.
import type { Context, View } from '../context';
import { h, setText, svg } from '../dom';
import { count, ms } from '../format';
import { icon } from './icons';
import type { PredictView } from './predict';

// `isPage`: the viewer is the whole page, so the choices of the page are here, too.
export function headerView(context: Context, openHelp: () => void, predict: PredictView, isPage: boolean): View {
  const { model, tr, theme } = context;
  const { t } = tr;
  const meta = h('p', { class: 'meta' });
  const language = h('button', {
    type: 'button',
    class: 'quiet',
    'data-control': 'language',
    onclick: () => tr.set(tr.language === 'en' ? 'zh' : 'en'),
  });
  const themeButton = h(
    'button',
    { type: 'button', class: 'control', 'data-control': 'theme', onclick: () => theme.toggle() },
    icon('theme'),
  );
  const help = h(
    'button',
    { type: 'button', class: 'control', 'data-control': 'help', onclick: openHelp },
    icon('help'),
  );
  const predictButton = h(
    'button',
    { type: 'button', class: 'quiet', 'data-control': 'predict', 'aria-pressed': 'false', onclick: predict.toggle },
  );
  predict.onToggle(() => predictButton.setAttribute('aria-pressed', String(predict.isOn)));
  const mark = svg(
    'svg',
    { class: 'mark', viewBox: '0 0 32 32', width: 28, height: 28, 'aria-hidden': 'true' },
    svg('circle', { cx: 16, cy: 16, r: 11, class: 'mark-ring' }),
    svg('circle', { cx: 16, cy: 5, r: 4, class: 'mark-dot' }),
  );
  const title = h(isPage ? 'h1' : 'h2', { class: 'run-title' });
  const element = h(
    isPage ? 'header' : 'div',
    { class: 'top' },
    isPage && mark,
    h('div', { class: 'titles' }, title, meta),
    h('div', { class: 'tools' }, predictButton, isPage && language, isPage && themeButton, help),
  );
  const showRun = (): void => {
    const { header, summary } = model.run;
    const end =
      summary.limit !== 'none'
        ? t('meta.limit', summary.limit, ms(summary.end))
        : model.isBrowser
          ? t('meta.end', ms(summary.end))
          : t('meta.result', summary.exit, ms(summary.end));
    const words = [
      header.runtime,
      ...(model.isBrowser ? [] : [`libuv ${header.libuv}`, header.entry]),
      t('meta.machine', header.machine),
      ...(model.isBrowser ? [] : [t('meta.pool', header.threadpool)]),
      t('meta.seed', header.seed),
      ...Object.entries(header.params).map(
        ([name, value]) => `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
      end,
      ...(model.run.gaps.length
        ? [t('meta.gaps', count(model.size - model.run.gaps.length), count(summary.events))]
        : []),
      ...(summary.hash ? [t('meta.hash', summary.hash)] : []),
    ];
    setText(title, header.scenario || model.run.file);
    setText(meta, words.join(' · '));
    meta.title = words.join(' · ');
  };
  const translate = (): void => {
    showRun();
    setText(predictButton, t('panel.predict'));
    predictButton.title = `${t('predict.open')} (Q)`;
    setText(language, t('language.short'));
    language.setAttribute('aria-label', t('language.switch'));
    language.title = t('language.switch');
    themeButton.setAttribute('aria-label', t('theme.toggle'));
    themeButton.title = `${t('theme.toggle')} (T)`;
    help.setAttribute('aria-label', t('help.open'));
    help.title = `${t('help.open')} (?)`;
  };
  translate();
  return { element, translate, load: showRun, show: () => undefined };
}
