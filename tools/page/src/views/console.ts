// The program's output so far. Every line links to its event.
import type { Context, View } from '../context';
import { h } from '../dom';
import { count, ms } from '../format';
import { panel } from './panel';
import { VirtualList } from './virtual_list';

const kRow = 26;

export function consoleView(context: Context): View {
  const { model, player, tr } = context;
  const box = panel(context, 'console', 'panel.console');
  const empty = h('p', { class: 'muted' });
  let current = 0;
  const list = new VirtualList(
    kRow,
    (index) => {
      const event = model.event(model.states.consoleLines[index] ?? 1);
      const isError = event.ev === 'error_log';
      return h(
        'div',
        { role: 'listitem', class: 'console-row', 'data-event': event.seq },
        h(
          'button',
          {
            type: 'button',
            class: `console-line ${event.gap ? 'is-gap' : ''} ${isError ? 'is-error' : ''} ${event.seq === current ? 'is-current' : ''}`,
            title: tr.t('console.jump', model.numberOf(event.seq)),
            onclick: () => player.jump(event.seq),
          },
          h('span', { class: 'console-time' }, ms(event.t)),
          isError ? h('span', { class: 'console-tag' }, tr.t('console.stderr')) : null,
          h('span', { class: 'console-text' }, event.gap ? tr.t('console.gap', count(event.gap.lines)) : (event.text ?? '')),
        ),
      );
    },
    tr.t('panel.console'),
    context.ends,
  );
  box.body.append(empty, list.element);
  let shown = -1;
  let hasMoved = false;
  return {
    element: box.element,
    translate: () => {
      box.translate();
      list.setLabel(tr.t('panel.console'));
      shown = -1;
    },
    load: () => {
      shown = -1;
    },
    show: ({ state }) => {
      const isLine = state.event.ev === 'log' || state.event.ev === 'error_log';
      const now = isLine ? state.n : 0;
      if (state.lines === shown && now === current) return;
      shown = state.lines;
      current = now;
      empty.textContent = state.lines ? '' : tr.t('console.empty');
      empty.hidden = state.lines > 0;
      list.element.hidden = state.lines === 0;
      hasMoved = true;
    },
    settle: () => {
      if (!hasMoved) return;
      hasMoved = false;
      list.setCount(shown, shown - 1);
    },
  };
}
