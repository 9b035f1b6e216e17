// A variable with its value, and a promise's state, as rows of a list.
import { h } from '../dom';
import { valueWords } from '../event_words';
import type { Translator } from '../i18n';
import type { PromiseAt, Variable } from '../model/program_steps';

export function row(tr: Translator, name: string, isChanged: boolean, ...value: (Node | string | null)[]): HTMLElement {
  return h(
    'div',
    { class: `variable ${isChanged ? 'is-changed' : ''}` },
    h('dt', {}, name, isChanged ? h('span', { class: 'sr-only' }, ` (${tr.t('variables.changed')})`) : null),
    h('dd', {}, ...value),
  );
}

export const promiseState = (tr: Translator, promise: PromiseAt): HTMLElement =>
  h('span', { class: `promise-state is-${promise.state}` }, tr.t(`promise.${promise.state}`));

export function variableRow(tr: Translator, { name, step, isChanged }: Variable, promise: PromiseAt | null): HTMLElement {
  if (promise) return row(tr, name, isChanged, 'Promise ', promiseState(tr, promise));
  if (step.type === 'uninitialized')
    return row(tr, name, false, h('span', { class: 'muted' }, tr.t('variables.uninitialized')));
  return row(tr, name, isChanged, h('code', { class: `value is-${step.type ?? ''}` }, valueWords(step)));
}
