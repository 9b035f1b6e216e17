// A run of the runtime io: its drawing, two columns for each process, and the system calls below. `-f html` writes a page without a script
// (sim/page/io_page.cpp), which is read here; only shapes and texts come into this page.
import { h } from '../dom';
import type { Say } from './words';

export interface Drawing {
  readonly element: HTMLElement;
  readonly title: string;
  cover(isOn: boolean): void; // what it shows is still to be guessed
  translate(): void;
}

// What the engine has written is such a page; otherwise it is the data of a run.
export function isDrawing(html: string): boolean {
  return html.startsWith('<!doctype');
}

const kSvg = 'http://www.w3.org/2000/svg';
const kShapes = new Set(['svg', 'title', 'desc', 'defs', 'pattern', 'g', 'rect', 'path', 'line', 'text', 'tspan']);

function copied(from: Element, prefix: string): Element | null {
  if (!kShapes.has(from.localName)) return null;
  const to = document.createElementNS(kSvg, from.localName);
  for (const { name, value } of from.attributes)
    if (!/^(?:on|style|href|xmlns|xlink:)/i.test(name)) to.setAttribute(name, value.replace(/(^|#| )loopsim-/g, `$1${prefix}loopsim-`));
  for (const child of from.childNodes) {
    const one = child instanceof Element ? copied(child, prefix) : child instanceof Text ? document.createTextNode(child.data) : null;
    if (one) to.append(one);
  }
  return to;
}

// `prefix`: of the ids.
export function drawingOf(html: string, prefix: string, say: Say): Drawing {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const picture = page.querySelector('svg');
  const drawn = picture && copied(picture, prefix);
  const calls = [...page.querySelectorAll('section')].map((one) => {
    const [name, lines] = [one.querySelector('h3'), one.querySelector('pre')].map((part) => part?.textContent ?? '');
    return h('section', {}, h('h3', {}, name), h('pre', { tabindex: '0', 'aria-label': name }, lines));
  });
  const title = page.title;
  const covered = h('p', { class: 'play-empty muted' });
  const shown = h(
    'div',
    {},
    h('div', { class: 'drawing-picture' }, drawn as HTMLElement | null),
    h('h2', {}, page.querySelector('h2')?.textContent ?? ''),
    h('div', { class: 'drawing-calls' }, ...calls),
  );
  const element = h('div', { class: 'play-drawing', tabindex: '0', role: 'group', 'aria-label': title }, covered, shown);
  const cover = (isOn: boolean): void => {
    covered.hidden = !isOn;
    shown.hidden = isOn;
  };
  const translate = (): void => void (covered.textContent = say('tour.covered'));
  cover(false);
  translate();
  return { element, title, cover, translate };
}
