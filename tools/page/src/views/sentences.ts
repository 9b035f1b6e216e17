// The sentences of an explanation.
import { h } from '../dom';
import { phaseWord } from '../event_words';
import type { Translator } from '../i18n';
import type { Model } from '../model/model';
import type { Sentence } from '../model/types';

export interface Links {
  select: (id: number) => void;
  jump: (event: number) => void;
  numberOf: (event: number) => number; // in the trace
}

// Without links, names are plain: where leading away is not wanted.
export function sentenceItem(model: Model, one: Sentence, tr: Translator, links: Links | null): HTMLElement {
  const { t } = tr;
  const template = tr.language === 'zh' ? one.rule.zh : one.rule.en;
  const parts = template.split(/(\{\d+\})/);
  const words = parts.map((part, i): Node | string => {
    const index = /^\{(\d+)\}$/.exec(part)?.[1];
    if (index === undefined) return part;
    const argument = one.args[Number(index)];
    if (argument === undefined) return '';
    const isPhase = typeof argument === 'string' && parts[i + 1]?.startsWith(' 阶段');
    if (isPhase) return h('b', {}, t(phaseWord(model, argument))); // named in the trace, and here, in the page's language
    if (typeof argument === 'string') return h('b', {}, argument);
    const [text, id] = argument;
    if (!links) return h('b', {}, text);
    return h(
      'button',
      { type: 'button', class: 'link', title: t('why.link', text), onclick: () => links.select(id) },
      text,
    );
  });
  const source = h('span', { class: 'why-source', title: one.rule.key }, `${t('why.rule')}: ${one.rule.source}`);
  const number = links && one.event ? links.numberOf(one.event) : 0;
  const jump = links
    ? h(
        'button',
        {
          type: 'button',
          class: 'why-event',
          'aria-label': t('now.jump', number),
          title: t('now.jump', number),
          onclick: () => links.jump(one.event),
        },
        `#${number}`,
      )
    : null;
  return h('li', {}, h('p', {}, ...words, one.event ? jump : null), source);
}
