// What stands beside the editor: the run itself, or a question about it (compare, orders). One at a time.
import { h } from '../dom';
import type { PlayWord, Say } from './words';

export interface SideView {
  readonly name: string;
  readonly word: PlayWord;
  readonly element: HTMLElement;
  refresh(): void; // it has come into view, or what was run has changed
  leave(): void; // it is out of view: nothing need be computed for it
  translate(): void;
}

export interface Views {
  readonly element: HTMLElement;
  readonly current: string;
  refresh(): void;
  translate(): void;
}

export function makeViews(say: Say, all: SideView[]): Views {
  let current = all[0];
  const buttons = all.map((view) => ({
    view,
    button: h('button', { type: 'button', 'data-view': view.name, onclick: () => show(view) }),
  }));
  const choice = h('div', { class: 'choice play-views-choice', role: 'group' }, ...buttons.map(({ button }) => button));
  const element = h('div', { class: 'play-views' }, choice, ...all.map((view) => view.element));
  function draw(): void {
    for (const { view, button } of buttons) {
      button.setAttribute('aria-pressed', String(view === current));
      view.element.hidden = view !== current;
    }
  }
  function show(view: SideView): void {
    if (view === current) return;
    current?.leave();
    current = view;
    draw();
    view.refresh();
  }
  const translate = (): void => {
    choice.setAttribute('aria-label', say('views.label'));
    for (const { view, button } of buttons) {
      button.textContent = say(view.word);
      view.translate();
    }
  };
  draw();
  translate();
  return {
    element,
    get current() {
      return current?.name ?? '';
    },
    refresh: () => current?.refresh(),
    translate,
  };
}
