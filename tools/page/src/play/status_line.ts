// One line on how the run is going, for everyone, and read to those who listen.
import { h, setText } from '../dom';
import type { PlayWord, Say } from './words';

export interface StatusLine {
  readonly element: HTMLElement;
  say(word: PlayWord, ...args: (string | number)[]): void;
  translate(): void;
}

export function statusLine(say: Say): StatusLine {
  const element = h('p', { class: 'play-status', role: 'status' });
  let last: [PlayWord, ...(string | number)[]] | null = null;
  const draw = (): void => {
    if (last) setText(element, say(...last));
    element.dataset.state = last?.[0] ?? '';
  };
  return {
    element,
    say: (...words) => {
      last = words;
      draw();
    },
    translate: draw,
  };
}
