// The tour: the lessons of docs/tour in this page. A lesson has a question, a program, and an answer that shows itself when it is
// asked for. Its texts are a little Markdown, which becomes elements here, never markup.
import { h } from '../dom';
import type { Language, Translator } from '../i18n';
import { icon } from '../views/icons';
import { embedded } from './page_texts';
import type { Say } from './words';

export interface LessonTexts {
  title: string;
  question: string;
  answer: string;
  remember: string;
}

export interface Lesson {
  entry: string; // of the gallery: GROUP/NAME
  texts: Record<Language, LessonTexts>;
}

export function lessons(): Lesson[] {
  return JSON.parse(embedded('tour') ?? '[]') as Lesson[];
}

// `code`, **bold**, *stressed*; of a link its text.
export function inline(text: string): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const match of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\([^)]*\)/g)) {
    if (match.index > at) nodes.push(document.createTextNode(text.slice(at, match.index)));
    const [whole, code, bold, stressed, link] = match;
    if (code !== undefined) nodes.push(h('code', {}, code));
    else if (bold !== undefined) nodes.push(h('strong', {}, ...inline(bold)));
    else if (stressed !== undefined) nodes.push(h('em', {}, ...inline(stressed)));
    else nodes.push(...inline(link ?? ''));
    at = match.index + whole.length;
  }
  if (at < text.length) nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

// Paragraphs, numbered lists, and listings.
export function blocks(text: string, tabbable: string): Node[] {
  const made: Node[] = [];
  for (const part of text.split(/(```[^]*?```)/)) {
    const [, listing] = /^```\w*\n([^]*)\n```$/.exec(part) ?? [];
    if (listing !== undefined) {
      made.push(h('pre', { tabindex: '0', 'aria-label': tabbable }, h('code', {}, listing)));
      continue;
    }
    for (const block of part.split(/\n{2,}/)) {
      const words = block.trim();
      if (!words) continue;
      if (/^1\. /.test(words)) {
        const items = words.split(/\n(?=\d+\. )/).map((item) => item.replace(/^\d+\. /, '').replace(/\s*\n\s*/g, ' '));
        made.push(h('ol', {}, ...items.map((item) => h('li', {}, ...inline(item)))));
      } else made.push(h('p', {}, ...inline(words.replace(/\s*\n\s*/g, ' '))));
    }
  }
  return made;
}

export interface Tour {
  readonly element: HTMLElement;
  readonly lesson: number; // from 1; 0: it is not open
  open(lesson: number, isLoaded?: boolean): void;
  close(): void;
  focus(): void;
  setDrawing(isOne: boolean): void; // its run is a drawing, without steps
  translate(): void;
}

interface TourOptions {
  tr: Translator;
  say: Say;
  all: Lesson[];
  load: (lesson: Lesson) => Promise<void>; // puts its program into the editor, with the future covered
  reveal: () => void; // uncovers it
  onClose: () => void;
}

export function tourPanel({ tr, say, all, load, reveal, onClose }: TourOptions): Tour {
  let at = 0;
  let isAnswered = false;
  let isDrawing = false;
  const progress = h('span', { class: 'tour-progress' });
  const title = h('h2', { id: 'tour-title', tabindex: '-1' });
  const leave = h('button', { type: 'button', class: 'control', 'data-tour': 'close', onclick: () => close() }, icon('close'));
  const body = h('div', { class: 'tour-body', tabindex: '0', role: 'group', 'aria-labelledby': 'tour-title' });
  const answer = h('button', { type: 'button', class: 'play-button play-run', 'data-tour': 'answer', onclick: () => show() });
  const back = h('button', { type: 'button', class: 'play-button', 'data-tour': 'back', onclick: () => go(at - 1) });
  const next = h('button', { type: 'button', class: 'play-button', 'data-tour': 'next', onclick: () => (at < all.length ? go(at + 1) : close()) });
  const element = h(
    'section',
    { class: 'play-tour', 'aria-labelledby': 'tour-title' },
    h('div', { class: 'tour-head' }, h('div', { class: 'tour-titles' }, progress, title), leave),
    body,
    h('div', { class: 'tour-actions' }, back, answer, next),
  );
  element.hidden = true;

  const hint = h('p', { class: 'tour-hint' });
  function drawHint(): void {
    const [asks, shows] = isDrawing ? (['tour.covered', 'tour.follow'] as const) : (['tour.predict', 'tour.look'] as const);
    hint.textContent = say(isAnswered ? shows : asks);
  }
  function draw(): void {
    drawHint();
    const lesson = all[at - 1];
    element.hidden = !lesson;
    if (!lesson) return;
    const texts = lesson.texts[tr.language];
    progress.textContent = say('tour.progress', at, all.length);
    title.textContent = texts.title;
    const isScript = lesson.entry.endsWith('.js');
    const question = isScript ? texts.question.replace(/```[^]*?```/g, '') : texts.question; // it stands in the editor
    body.replaceChildren(
      ...blocks(question, say('editor.label')),
      hint,
      ...(isAnswered
        ? [
            h('h3', { tabindex: '-1' }, say('tour.answer')),
            ...blocks(texts.answer, say('editor.label')),
            h('p', { class: 'tour-remember' }, h('strong', {}, say('tour.remember')), ...inline(texts.remember.replace(/\n/g, ' '))),
          ]
        : []),
    );
    answer.hidden = isAnswered;
    answer.textContent = say('tour.show');
    back.textContent = say('tour.back');
    back.disabled = at === 1;
    next.textContent = say(at < all.length ? 'tour.next' : 'tour.end');
    next.classList.toggle('play-run', isAnswered);
    leave.setAttribute('aria-label', say('tour.close'));
    leave.title = say('tour.close');
  }
  function go(lesson: number, isLoaded = false): void {
    at = Math.min(Math.max(1, lesson), all.length);
    isAnswered = false;
    draw();
    const one = all[at - 1];
    if (one && !isLoaded) void load(one);
    body.scrollTop = 0;
    title.focus({ preventScroll: true });
  }
  function show(): void {
    isAnswered = true;
    draw();
    reveal();
    const heading = body.querySelector('h3');
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: 'nearest' });
  }
  function close(): void {
    if (at === 0) return;
    at = 0;
    draw();
    reveal();
    onClose();
  }
  return {
    element,
    get lesson() {
      return at;
    },
    open: go,
    close,
    focus: () => title.focus({ preventScroll: true }),
    setDrawing: (isOne) => {
      isDrawing = isOne;
      drawHint();
    },
    translate: draw,
  };
}
