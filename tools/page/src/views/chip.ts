// An entry in a queue as a small button or mark, in the queue's colour.
import type { Context } from '../context';
import { h } from '../dom';
import { nameOf, ownWords, waitingName } from '../event_words';
import { kindOf, type Kind } from '../kinds';
import type { Callback } from '../model/callbacks';
import type { Waiting } from '../model/queues';

// A callback. A click shows its explanation.
export function chip(context: Context, callback: Callback, detail: string, selected: number, extra = ''): HTMLElement {
  const name = nameOf(context.model, callback.id, context.tr);
  const isSelected = callback.id === selected;
  return h(
    'button',
    {
      type: 'button',
      class: `chip k-${kindOf(callback.api, callback.phase)} ${extra} ${isSelected ? 'is-selected' : ''}`,
      'aria-pressed': isSelected ? 'true' : 'false',
      'data-callback': callback.id, // tells chips with different listeners apart
      title: context.tr.t('why.link', name),
      onclick: () => context.player.select(callback.id),
    },
    h('span', { class: 'chip-name' }, name),
    detail ? h('span', { class: 'chip-detail' }, detail) : null,
  );
}

// An internal entry of the runtime, without a callback of the program.
export function ownChip({ model, tr }: Context, waiting: Waiting, kind: Kind): HTMLElement {
  return h(
    'span',
    { class: `chip is-own k-${kind}`, title: ownWords(model, waiting, tr) },
    h('span', { class: 'chip-name' }, waitingName(model, waiting, tr)),
  );
}
