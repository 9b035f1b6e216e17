// All steps, a sentence each.
import type { Context, View } from '../context';
import { h } from '../dom';
import { eventWords, phaseWord } from '../event_words';
import { ms } from '../format';
import { kindOfPhase } from '../kinds';
import { panel } from './panel';
import { VirtualList } from './virtual_list';

const kRow = 26;

export function eventsView(context: Context): View {
  const { model, player, tr } = context;
  const box = panel('events', 'panel.events', tr);
  let current = 0;
  const list = new VirtualList(
    kRow,
    (index) => {
      const event = model.event(model.steps.events[index] ?? 1);
      const isCurrent = event.seq === current;
      return h(
        'div',
        { role: 'listitem', class: 'console-row' },
        h(
          'button',
          {
            type: 'button',
            class: `event-line k-${kindOfPhase(event.phase)} ${isCurrent ? 'is-current' : ''} ${event.seq > current ? 'is-later' : ''}`,
            'aria-current': isCurrent ? 'step' : null,
            title: `${tr.t(phaseWord(event.phase))} · ${event.ev}`,
            onclick: () => player.jump(event.seq),
          },
          h('span', { class: 'event-number' }, String(event.seq)),
          h('span', { class: 'console-time' }, ms(event.t)),
          h('span', { class: 'console-text' }, eventWords(model, event, tr)),
        ),
      );
    },
    tr.t('panel.events'),
  );
  box.body.append(list.element);
  list.setCount(model.steps.count);
  return {
    element: box.element,
    translate: () => {
      box.translate();
      list.setLabel(tr.t('panel.events'));
    },
    show: ({ state }) => {
      current = state.n;
      const { lower, tab } = document.body.dataset;
      if (lower !== 'events' && tab !== 'events') return; // hidden; reading its size would lay out the whole page
      list.reveal(Math.max(0, model.steps.indexOf(state.n)));
      list.draw(true);
    },
  };
}
