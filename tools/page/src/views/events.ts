// All steps, a sentence each. Repetitions are folded into one row, which opens.
import type { Context, View } from '../context';
import { h } from '../dom';
import { eventWords, foldWords, placeWord } from '../event_words';
import { ms } from '../format';
import { kindOfEvent } from '../kinds';
import type { Fold } from '../model/folds';
import { panel } from './panel';
import { VirtualList } from './virtual_list';

const kRow = 26;

export function eventsView(context: Context): View {
  const { model, player, tr } = context;
  const box = panel(context, 'events', 'panel.events');
  let current = 0;
  const list = new VirtualList(
    kRow,
    (index) => {
      const row = model.folds.rowAt(index);
      if ('fold' in row) return foldRow(row.fold);
      const event = model.event(row.step);
      const isCurrent = event.seq === current;
      return h(
        'div',
        { role: 'listitem', class: 'console-row', 'data-event': event.seq },
        h(
          'button',
          {
            type: 'button',
            class: `event-line k-${kindOfEvent(event)} ${event.gap ? 'is-gap' : ''} ${isCurrent ? 'is-current' : ''} ${event.seq > current ? 'is-later' : ''}`,
            'aria-current': isCurrent ? 'step' : null,
            title: `${tr.t(placeWord(model, event))} · ${event.ev}`,
            onclick: () => player.jump(event.seq),
          },
          h('span', { class: 'event-number' }, String(model.numberOf(event.seq))),
          h('span', { class: 'console-time' }, ms(event.t)),
          h('span', { class: 'console-text' }, eventWords(model, event, tr)),
        ),
      );
    },
    tr.t('panel.events'),
    context.ends,
  );
  const fold = h('button', { type: 'button', class: 'quiet', onclick: () => model.folds.toggleAll() });
  box.head.append(fold);
  box.body.append(list.element);
  const load = (): void => {
    fold.hidden = model.folds.all.length === 0;
    list.setCount(model.folds.rowCount);
  };
  load();
  model.onFold(() => list.setCount(model.folds.rowCount));

  // The head of a fold. Closed, it stands for its steps: it is the current row while one of them is the current step.
  function foldRow(one: Fold): HTMLElement {
    const isOpen = model.folds.isOpen(one);
    const isCurrent = !isOpen && one.first <= current && current <= one.last;
    const event = model.event(one.first);
    return h(
      'div',
      { role: 'listitem', class: 'console-row' },
      h(
        'button',
        {
          type: 'button',
          class: `event-line is-fold k-${kindOfEvent(event)} ${isCurrent ? 'is-current' : ''} ${one.first > current ? 'is-later' : ''}`,
          'aria-current': isCurrent ? 'step' : null,
          'aria-expanded': String(isOpen),
          title: tr.t(isOpen ? 'fold.close' : 'fold.open'),
          'data-fold': one.first,
          // The row may be one of the run before (Model.load()), if it looked the same.
          onclick: () => {
            const own = model.folds.all.find(({ first }) => first === one.first);
            if (own) model.folds.toggle(own);
          },
        },
        h('span', { class: 'event-number' }, isOpen ? '▾' : '▸'),
        h('span', { class: 'console-time' }, ms(one.from)),
        h('span', { class: 'console-text' }, foldWords(model, one, tr)),
      ),
    );
  }
  return {
    element: box.element,
    load,
    translate: () => {
      box.translate();
      list.setLabel(tr.t('panel.events'));
      fold.textContent = tr.t('help.fold');
      fold.title = `${tr.t('help.fold')} (F)`;
    },
    show: ({ state }) => {
      current = state.n;
    },
    settle: () => {
      const { lower, tab } = context.root.dataset;
      if (lower !== 'events' && tab !== 'events') return; // hidden; reading its size would lay out the whole page
      list.reveal(model.folds.rowOf(Math.max(0, model.steps.indexOf(current))));
    },
  };
}
