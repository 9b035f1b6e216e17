// A panel of the page with a heading.
import { h, setText } from '../dom';
import type { Translator, Word } from '../i18n';

export interface Panel {
  element: HTMLElement;
  head: HTMLElement;
  body: HTMLElement;
  translate(): void;
}

export function panel(name: string, title: Word, tr: Translator, bodyAttributes: Record<string, string> = {}): Panel {
  const heading = h('h2', { id: `${name}-title` });
  const head = h('div', { class: 'panel-head' }, heading);
  const body = h('div', { class: 'panel-body', ...bodyAttributes });
  const element = h('section', { class: `panel ${name}`, id: name, 'aria-labelledby': `${name}-title` }, head, body);
  const translate = (): void => setText(heading, tr.t(title));
  translate();
  return { element, head, body, translate };
}
