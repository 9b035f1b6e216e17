// The gallery: every scenario and lesson by its question, with a search. A click puts it into the editor.
import { h } from '../dom';
import type { Translator } from '../i18n';
import { icon } from '../views/icons';
import { embedded, wholePage } from './page_texts';
import type { Kind } from './settings';
import type { Lesson } from './tour';
import type { PlayWord, Say } from './words';

export interface Entry {
  group: string; // the folder
  name: string;
  kind: Kind;
  title: string;
  question: string;
  source: string;
}

const kGroups = ['lessons', 'docs', 'articles', 'studies', 'javascript', 'versions', 'libuv', 'browser', 'io'] as const;

// What a program is about: of a scenario its title, and the question that its description asks; of JavaScript the first comment.
function entryOf([path, source]: [path: string, source: string]): Entry {
  const [, group = '', name = '', kind = ''] = /^(.*)\/(.*\.(.*))$/.exec(path) ?? [];
  let title = '';
  let question = '';
  if (kind === 'json') {
    const document = JSON.parse(source) as { title?: string; description?: string | string[] };
    title = document.title ?? '';
    question = /(?:^|[.?!:]\s+)([^.?!:]*\?)/.exec([document.description ?? ''].flat().join(' '))?.[1].trim() ?? '';
  } else {
    title = /^\/\/ (.*)$/m.exec(source)?.[1] ?? '';
  }
  return { group, name, kind: kind as Kind, title: title || name, question, source };
}

export interface Gallery {
  readonly element: HTMLDialogElement;
  find(entry: string): Promise<Entry | null>; // by GROUP/NAME
  open(): Promise<void>;
  translate(): void;
}

export function galleryDialog(
  tr: Translator,
  say: Say,
  id: string,
  lessons: Lesson[],
  take: (entry: Entry) => void,
  openLesson: (lesson: number) => void,
): Gallery {
  const title = h('h2', { id: `${id}-title` });
  const input = h('input', { type: 'search', class: 'search-input', autocomplete: 'off', spellcheck: 'false' });
  const list = h('div', { class: 'gallery-list', tabindex: '0', role: 'group', 'aria-labelledby': `${id}-title` });
  const found = h('p', { class: 'muted', role: 'status' });
  const close = h('button', { type: 'button', class: 'control', onclick: () => element.close() }, icon('close'));
  const head = h('div', { class: 'help-head' }, title, close);
  const element = h('dialog', { class: 'play-gallery', 'aria-labelledby': `${id}-title` }, head, input, found, list);
  let entries: Entry[] | null = null; // read when first asked for

  const all = (): Entry[] => {
    return (entries ??= (JSON.parse(embedded('gallery') ?? '[]') as [string, string][]).map(entryOf));
  };
  function draw(): void {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const textOf = (one: Entry): string => `${one.group} ${one.name} ${one.title} ${one.question}`.toLowerCase();
    const hits = all().filter((one) => wanted.every((word) => textOf(one).includes(word)));
    const ofTour = lessons.flatMap((lesson, i) => {
      const texts = lesson.texts[tr.language];
      const text = `${texts.title} ${texts.question} ${lesson.texts.en.title}`.toLowerCase();
      return wanted.every((word) => text.includes(word)) ? [lessonRow(lesson, i + 1)] : [];
    });
    found.textContent = say('gallery.found', hits.length + ofTour.length, all().length + lessons.length);
    list.replaceChildren(
      ...(ofTour.length ? [h('h3', {}, say('gallery.tour')), h('ul', {}, ...ofTour)] : []),
      ...kGroups.flatMap((group) => {
        const own = hits.filter((one) => one.group === group);
        if (own.length === 0) return [];
        return [h('h3', {}, say(`gallery.${group}` satisfies PlayWord)), h('ul', {}, ...own.map(row))];
      }),
    );
  }
  const lessonRow = (lesson: Lesson, number: number): HTMLElement => {
    const { title: name, question } = lesson.texts[tr.language];
    // Its first sentences; the listing is too long for a list.
    const words = question.replace(/```[^]*?```/g, '').replaceAll('`', '').replace(/\s+/g, ' ').trim();
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'gallery-entry',
          'data-lesson': number,
          onclick: () => {
            element.close();
            openLesson(number);
          },
        },
        h('span', { class: 'gallery-title' }, `${number}. ${name}`),
        h('span', { class: 'gallery-question' }, words),
        h('span', { class: 'gallery-name' }, say('tour')),
      ),
    );
  };
  const row = (one: Entry): HTMLElement =>
    h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'gallery-entry',
          'data-entry': `${one.group}/${one.name}`,
          onclick: () => {
            element.close();
            take(one);
          },
        },
        h('span', { class: 'gallery-title' }, one.title),
        one.question && h('span', { class: 'gallery-question' }, one.question),
        h('span', { class: 'gallery-name' }, one.name),
      ),
    );
  input.addEventListener('input', draw);
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });
  const translate = (): void => {
    title.textContent = say('gallery');
    close.setAttribute('aria-label', say('close'));
    input.setAttribute('aria-label', say('gallery.search'));
    input.placeholder = say('gallery.search');
    if (entries) draw();
  };
  translate();
  return {
    element,
    find: async (name) => {
      await wholePage();
      return all().find((one) => `${one.group}/${one.name}` === name) ?? null;
    },
    open: async () => {
      await wholePage();
      draw();
      element.showModal();
      input.focus();
    },
    translate,
  };
}
