// Sharing: links and embed code to copy, files to save. All of it is made here and goes nowhere else.
import { h } from '../dom';
import { icon } from '../views/icons';
import type { PlayWord, Say } from './words';

export interface Download {
  name: string;
  type: string;
  text: string;
}

export interface ShareActions {
  link: () => string | null; // null: too long for one
  embed: () => string | null;
  program: () => Promise<Download | null>;
  scenario: () => Promise<Download | null>; // with what is chosen beside it
  script: () => Promise<Download | null>;
  page: () => Promise<Download | null>;
  svg: () => Promise<Download | null>;
}

export interface ShareDialog {
  readonly element: HTMLDialogElement;
  open(): void;
  setHasScript(has: boolean): void; // for Node
  translate(): void;
}

// Gives a file to the reader: a link that is clicked once.
function save({ name, type, text }: Download): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function shareDialog(say: Say, id: string, actions: ShareActions): ShareDialog {
  const title = h('h2', { id: `${id}-title` });
  const about = h('p', { class: 'muted' });
  const said = h('p', { class: 'play-said', role: 'status' });
  const text = h('textarea', { class: 'play-copy', readonly: true, rows: 4 });
  const words: [HTMLElement, PlayWord][] = [
    [title, 'share'],
    [about, 'share.about'],
  ];
  const button = (word: PlayWord, name: string, act: () => void): HTMLElement => {
    const one = h('button', { type: 'button', class: 'play-button', 'data-share': name, onclick: act });
    words.push([one, word]);
    return one;
  };
  const copy = (what: string | null): void => {
    text.hidden = true;
    if (what === null) {
      said.textContent = say('share.large');
      return;
    }
    const offer = (): void => {
      said.textContent = say('share.notCopied');
      text.hidden = false;
      text.value = what;
      text.select();
    };
    if (!navigator.clipboard) return offer();
    navigator.clipboard.writeText(what).then(() => (said.textContent = say('share.copied')), offer);
  };
  const download = async (what: Promise<Download | null>): Promise<void> => {
    text.hidden = true;
    const file = await what;
    said.textContent = file ? say('share.saved', file.name) : say('status.refused');
    if (file) save(file);
  };
  const script = button('share.script', 'script', () => void download(actions.script()));
  const close = h('button', { type: 'button', class: 'control', onclick: () => element.close() }, icon('close'));
  const element = h(
    'dialog',
    { class: 'play-share', 'aria-labelledby': `${id}-title` },
    h('div', { class: 'help-head' }, title, close),
    about,
    h(
      'div',
      { class: 'play-actions' },
      button('share.link', 'link', () => copy(actions.link())),
      button('share.embed', 'embed', () => copy(actions.embed())),
      button('share.program', 'program', () => void download(actions.program())),
      button('share.scenario', 'scenario', () => void download(actions.scenario())),
      script,
      button('share.page', 'page', () => void download(actions.page())),
      button('share.svg', 'svg', () => void download(actions.svg())),
    ),
    said,
    text,
  );
  text.hidden = true;
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });
  const translate = (): void => {
    for (const [one, word] of words) one.textContent = say(word);
    close.setAttribute('aria-label', say('close'));
    text.setAttribute('aria-label', say('share'));
  };
  translate();
  return {
    element,
    open: () => {
      said.textContent = '';
      text.hidden = true;
      element.showModal();
    },
    setHasScript: (has) => (script.hidden = !has),
    translate,
  };
}
