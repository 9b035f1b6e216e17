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
  readonly values?: string[]; // what is chosen in it, for a link
  take?(values: string[]): void; // of a link
}

export interface Views {
  readonly element: HTMLElement;
  readonly state: string[]; // the name of the view that is shown, and what is chosen in it
  take(state: string[]): void; // of a link; what is no such state shows the first view
  refresh(): void;
  translate(): void;
}

export function makeViews(say: Say, all: SideView[], onShow: () => void): Views {
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
    onShow();
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
    get state() {
      return [current?.name ?? '', ...(current?.values ?? [])];
    },
    take: ([name, ...values]) => {
      const view = all.find((one) => one.name === name) ?? all[0];
      if (!view) return;
      view.take?.(values);
      if (view === current) view.refresh();
      else show(view);
    },
    refresh: () => current?.refresh(),
    translate,
  };
}
