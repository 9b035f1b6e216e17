// The call stack, innermost callback on top.
import type { Context, View } from '../context';
import { h } from '../dom';
import { ms } from '../format';
import { chip } from './chip';
import { panel } from './panel';

const kMost = 40;

export function stackView(context: Context): View {
  const { model, tr } = context;
  const box = panel('stack', 'panel.stack', tr);
  return {
    element: box.element,
    translate: box.translate,
    show: ({ state, selected }) => {
      const ids = [...state.stack].reverse();
      const rows = ids.slice(0, kMost).map((id) => {
        const callback = model.callback(id);
        if (!callback) return null;
        const since = model.event(callback.begin).t;
        return h(
          'li',
          {},
          chip(
            context,
            callback,
            `${callback.api === 'main' ? '' : `${callback.api} · `}${ms(since)}`,
            selected,
            'is-running',
          ),
        );
      });
      if (ids.length > kMost) rows.push(h('li', { class: 'muted' }, tr.t('queue.more', ids.length - kMost)));
      if (rows.length) box.body.replaceChildren(h('ol', { class: 'frames' }, ...rows));
      else box.body.replaceChildren(h('p', { class: 'muted' }, tr.t('stack.empty')));
    },
  };
}
