// The help dialog: keys and a description of the page.
import type { Context } from '../context';
import { h } from '../dom';
import type { Word } from '../i18n';
import { icon } from './icons';

const kRows: [string[], Word][] = [
  [['Space'], 'help.play'],
  [['←', '→'], 'help.step'],
  [['P', 'N'], 'help.callback'],
  [['O'], 'help.over'],
  [['Home', 'End'], 'help.ends'],
  [['[', ']'], 'help.speed'],
  [['/'], 'help.search'],
  [['+', '−', '0'], 'help.zoom'],
  [['Shift ←', 'Shift →'], 'help.pan'],
  [['F'], 'help.fold'],
  [['S'], 'help.scale'],
  [['Q'], 'help.predict'],
  [['T'], 'help.theme'],
  [['L'], 'help.language'],
  [['?'], 'help.help'],
];

export interface Help {
  element: HTMLDialogElement;
  toggle(): void;
  translate(): void;
}

export function helpDialog({ tr, id }: Context): Help {
  const { t } = tr;
  const title = h('h2', { id: id('help-title') });
  const about = h('p', {});
  const words = kRows.map(([keys, word]) => {
    const description = h('dd', {});
    return { word, description, row: h('div', {}, h('dt', {}, ...keys.map((key) => h('kbd', {}, key))), description) };
  });
  const close = h('button', { type: 'button', class: 'control', onclick: () => element.close() }, icon('close'));
  const element = h(
    'dialog',
    { class: 'help', 'aria-labelledby': id('help-title') },
    h('div', { class: 'help-head' }, title, close),
    about,
    h('dl', {}, ...words.map(({ row }) => row)),
  );
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });
  return {
    element,
    toggle: () => {
      if (element.open) element.close();
      else element.showModal();
    },
    translate: () => {
      title.textContent = t('help.title');
      about.textContent = t('help.about');
      close.setAttribute('aria-label', t('help.close'));
      for (const { word, description } of words) description.textContent = t(word);
    },
  };
}
