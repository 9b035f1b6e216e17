// Search for an event by number, a callback by name, a line of output by text.
import type { Context } from '../context';
import { h } from '../dom';
import { nameOf } from '../event_words';
import { ms } from '../format';

const kMost = 60;

interface Hit {
  event: number;
  kind: string;
  text: string;
}

export interface Search {
  element: HTMLDialogElement;
  open(): void;
  translate(): void;
}

export function searchDialog(context: Context): Search {
  const { model, player, tr, id } = context;
  const { t } = tr;
  const input = h('input', {
    type: 'text',
    class: 'search-input',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-expanded': 'true',
    'aria-controls': id('search-results'),
    'aria-autocomplete': 'list',
    enterkeyhint: 'go',
  });
  const results = h('ul', { id: id('search-results'), role: 'listbox', class: 'search-results' });
  const note = h('p', { class: 'muted', role: 'status' });
  const element = h('dialog', { class: 'search' }, input, results, note);
  let hits: Hit[] = [];
  let chosen = 0;

  function find(query: string): { list: Hit[]; more: number } {
    const list: Hit[] = [];
    let more = 0;
    const add = (hit: Hit): void => {
      if (list.length < kMost) list.push(hit);
      else ++more;
    };
    const wanted = query.trim().toLowerCase();
    if (!wanted) return { list, more };
    const number = Number(wanted.replace(/^#/, ''));
    if (Number.isInteger(number) && number >= 1 && number <= model.lastNumber)
      add({ event: model.placeOf(number), kind: t('control.result.event', number), text: '' });
    for (const callback of model.callbacks.inOrder) {
      const name = nameOf(model, callback.id, tr);
      if (name.toLowerCase().includes(wanted) || callback.api.toLowerCase() === wanted)
        add({ event: callback.begin, kind: t('control.result.callback'), text: name });
    }
    for (const seq of model.states.consoleLines) {
      const text = model.event(seq).text ?? '';
      if (text.toLowerCase().includes(wanted)) add({ event: seq, kind: t('control.result.output'), text });
    }
    return { list, more };
  }

  function draw(): void {
    results.replaceChildren(
      ...hits.map((hit, i) =>
        h(
          'li',
          {
            id: id(`hit-${i}`),
            role: 'option',
            'aria-selected': String(i === chosen),
            class: i === chosen ? 'is-chosen' : '',
            onclick: () => take(i),
          },
          h('span', { class: 'hit-kind' }, hit.kind),
          h('span', { class: 'hit-text' }, hit.text),
          h('span', { class: 'hit-time' }, `#${model.numberOf(hit.event)} · ${ms(model.event(hit.event).t)}`),
        ),
      ),
    );
    if (hits.length) input.setAttribute('aria-activedescendant', id(`hit-${chosen}`));
    else input.removeAttribute('aria-activedescendant');
    results.querySelector('.is-chosen')?.scrollIntoView({ block: 'nearest' });
  }
  function look(): void {
    const { list, more } = find(input.value);
    hits = list;
    chosen = Math.max(
      0,
      hits.findIndex((hit) => hit.event > player.n),
    );
    note.textContent =
      hits.length === 0 && input.value.trim()
        ? t('control.searchNone', input.value.trim())
        : more
          ? t('control.searchMore', more)
          : '';
    draw();
  }
  function take(index: number): void {
    const hit = hits[index];
    if (!hit) return;
    element.close();
    player.jump(hit.event);
  }

  input.addEventListener('input', look);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (hits.length) chosen = (chosen + (event.key === 'ArrowDown' ? 1 : hits.length - 1)) % hits.length;
      draw();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      take(chosen);
    }
  });
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });

  return {
    element,
    open: () => {
      if (element.open) return;
      player.pause();
      element.showModal();
      input.select();
      look();
    },
    translate: () => {
      element.setAttribute('aria-label', t('control.search'));
      input.setAttribute('aria-label', t('control.searchHint'));
      input.setAttribute('placeholder', t('control.searchHint'));
      results.setAttribute('aria-label', t('control.search'));
    },
  };
}
