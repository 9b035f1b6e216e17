// A panel of the page with a heading.
import type { Context } from '../context';
import { h, setText } from '../dom';
import type { Word } from '../i18n';

export interface Panel {
  element: HTMLElement;
  head: HTMLElement;
  body: HTMLElement;
  translate(): void;
}

// A body that is a group of its own, to be reached by the keyboard, has the panel's title.
export function panel({ tr, id }: Context, name: string, title: Word, isGroup = false): Panel {
  const label = id(`${name}-title`);
  const heading = h('h2', { id: label });
  const head = h('div', { class: 'panel-head' }, heading);
  const group = isGroup ? { tabindex: '0', role: 'group', 'aria-labelledby': label } : {};
  const body = h('div', { class: 'panel-body', ...group });
  const element = h('section', { class: `panel ${name}`, id: id(name), 'aria-labelledby': label }, head, body);
  const translate = (): void => setText(heading, tr.t(title));
  translate();
  return { element, head, body, translate };
}
