// What is wrong, as text below the editor; each line leads to its place.
import { h } from '../dom';
import type { Problem } from './problems';
import type { Say } from './words';

const kMost = 50;

export interface ProblemList {
  readonly element: HTMLElement;
  show(problems: Problem[]): void;
  translate(): void;
}

export function problemList(say: Say, go: (problem: Problem) => void): ProblemList {
  const element = h('ul', { class: 'play-problems' });
  let problems: Problem[] = [];
  function draw(): void {
    element.setAttribute('aria-label', say('problems.label'));
    element.hidden = problems.length === 0;
    element.replaceChildren(
      ...problems.slice(0, kMost).map((one) => {
        const kind = one.isWarning ? 'is-warning' : 'is-error';
        if (!one.line) return h('li', { class: kind }, one.message);
        const words = say('problems.at', one.line, one.message);
        return h('li', { class: kind }, h('button', { type: 'button', onclick: () => go(one) }, words));
      }),
      ...(problems.length > kMost ? [h('li', {}, say('problems.more', problems.length - kMost))] : []),
    );
  }
  draw();
  return {
    element,
    show: (next) => {
      problems = next;
      draw();
    },
    translate: draw,
  };
}
