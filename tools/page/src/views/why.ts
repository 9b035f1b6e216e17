// The explanation of the selected callback, with links to the callbacks and events that it names.
import type { Context, View } from '../context';
import { h } from '../dom';
import { nameOf, phaseWord } from '../event_words';
import { ms } from '../format';
import { kindOf } from '../kinds';
import type { Sentence } from '../model/types';
import { panel } from './panel';

export function whyView(context: Context): View {
  const { model, player, tr } = context;
  const { t } = tr;
  const box = panel('why', 'panel.why', tr, { tabindex: '0', role: 'group', 'aria-labelledby': 'why-title' });
  const follow = h('button', { type: 'button', class: 'quiet', onclick: () => player.unpin() });
  box.head.append(follow);

  const sentence = (one: Sentence): HTMLElement => {
    const template = tr.language === 'zh' ? one.rule.zh : one.rule.en;
    const parts = template.split(/(\{\d+\})/);
    const words = parts.map((part, i): Node | string => {
      const index = /^\{(\d+)\}$/.exec(part)?.[1];
      if (index === undefined) return part;
      const argument = one.args[Number(index)];
      if (argument === undefined) return '';
      const isPhase = typeof argument === 'string' && parts[i + 1]?.startsWith(' 阶段');
      if (isPhase) return h('b', {}, t(phaseWord(argument))); // named in the trace, and here, in the page's language
      if (typeof argument === 'string') return h('b', {}, argument);
      const [text, id] = argument;
      return h(
        'button',
        { type: 'button', class: 'link', title: t('why.link', text), onclick: () => player.select(id) },
        text,
      );
    });
    const source = h('span', { class: 'why-source', title: one.rule.key }, `${t('why.rule')}: ${one.rule.source}`);
    const jump = h(
      'button',
      {
        type: 'button',
        class: 'why-event',
        'aria-label': t('now.jump', one.event),
        title: t('now.jump', one.event),
        onclick: () => player.jump(one.event),
      },
      `#${one.event}`,
    );
    return h('li', {}, h('p', {}, ...words, one.event ? jump : null), source);
  };

  let shown = '';
  return {
    element: box.element,
    translate: () => {
      box.translate();
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
        box.body.replaceChildren(h('p', { class: 'muted' }, t('why.none')));
        return;
      }
      const explanation = model.run.explanations().get(selected);
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
      if (box.body.scrollTop > 0) box.body.scrollTop = 0;
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
          ? h('ol', { class: 'sentences' }, ...explanation.sentences.map(sentence))
          : h('p', { class: 'muted' }, t('why.unexplained')),
        h('p', { class: 'why-links' }, asked, where),
      );
    },
  };
}
