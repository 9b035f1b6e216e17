// The explanation of the selected callback, with links to the callbacks and events that it names.
import type { Context, View } from '../context';
import { h } from '../dom';
import { nameOf } from '../event_words';
import { ms } from '../format';
import { kindOf } from '../kinds';
import { panel } from './panel';
import { sentenceItem } from './sentences';

export function whyView(context: Context): View {
  const { model, player, tr } = context;
  const { t } = tr;
  const box = panel(context, 'why', 'panel.why', true);
  const follow = h('button', { type: 'button', class: 'quiet', onclick: () => player.unpin() });
  box.head.append(follow);

  const links = {
    select: (id: number) => player.select(id),
    jump: (event: number) => player.jump(event),
    numberOf: (event: number) => model.numberOf(event),
  };

  let shown = '';
  // Known, not asked for: asking lays out the whole page.
  let isScrolled = false;
  box.body.addEventListener('scroll', () => (isScrolled = box.body.scrollTop > 0), { passive: true });
  return {
    element: box.element,
    translate: () => {
      box.translate();
      shown = '';
    },
    load: () => {
      shown = '';
    },
    show: ({ selected, relation, isPinned }) => {
      follow.textContent = t('why.pinned');
      follow.hidden = !isPinned;
      const key = `${selected} ${relation}`;
      if (key === shown) return;
      shown = key;
      const callback = model.callback(selected);
      if (!callback) {
        box.body.replaceChildren(h('p', { class: 'muted' }, t(selected && model.run.gaps.length ? 'why.leftOut' : 'why.none')));
        return;
      }
      const explanation = model.run.explanation(selected);
      const where = callback.begin
        ? h(
            'button',
            { type: 'button', class: 'quiet', onclick: () => player.jump(callback.begin) },
            `${t('why.goto')} (${ms(model.event(callback.begin).t)})`,
          )
        : null;
      const asked = callback.scheduled
        ? h(
            'button',
            { type: 'button', class: 'quiet', onclick: () => player.jump(callback.scheduled) },
            `${t('why.scheduled')} (${ms(model.event(callback.scheduled).t)})`,
          )
        : null;
      if (isScrolled) box.body.scrollTop = 0;
      isScrolled = false;
      box.body.replaceChildren(
        h(
          'p',
          { class: `why-name k-${kindOf(callback.api, callback.phase)}` },
          explanation?.name ?? nameOf(model, selected, tr),
          relation === 'event'
            ? null
            : h('span', { class: 'why-relation' }, t(relation === 'next' ? 'why.next' : 'why.last')),
        ),
        explanation?.sentences.length
          ? h('ol', { class: 'sentences' }, ...explanation.sentences.map((one) => sentenceItem(model, one, tr, links)))
          : h('p', { class: 'muted' }, t('why.unexplained')),
        h('p', { class: 'why-links' }, asked, where),
      );
    },
  };
}
