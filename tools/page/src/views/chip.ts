// A callback as a small button: its colour tells the queue, a click shows its reason.
import type { Context } from '../context';
import { h } from '../dom';
import { nameOf } from '../event_words';
import { kindOf } from '../kinds';
import type { Callback } from '../model/callbacks';

export function chip(context: Context, callback: Callback, detail: string, selected: number, extra = ''): HTMLElement {
  const name = nameOf(context.model, callback.id, context.tr);
  const isSelected = callback.id === selected;
  return h(
    'button',
    {
      type: 'button',
      class: `chip k-${kindOf(callback.api, callback.phase)} ${extra} ${isSelected ? 'is-selected' : ''}`,
      'aria-pressed': isSelected ? 'true' : 'false',
      title: context.tr.t('why.link', name),
      onclick: () => context.player.select(callback.id),
    },
    h('span', { class: 'chip-name' }, name),
    detail ? h('span', { class: 'chip-detail' }, detail) : null,
  );
}
