// The variables in scope with their values, and the promises with their states. What this step has changed is marked.
import type { Context, View } from '../context';
import { h } from '../dom';
import { functionName, valueWords } from '../event_words';
import type { PromiseAt, Variable, VariableScope } from '../model/program_steps';
import { panel } from './panel';
import { promiseState, row, variableRow } from './variable_row';

const kMost = 24; // rows of a list

export function variablesView(context: Context): View {
  const { model, tr } = context;
  const { t } = tr;
  const box = panel(context, 'variables', 'panel.variables', true);

  const rows = <T>(items: T[], make: (item: T) => HTMLElement): HTMLElement[] => {
    const made = items.slice(0, kMost).map(make);
    if (items.length > kMost)
      made.push(h('div', { class: 'muted' }, h('dt', {}, t('queue.more', items.length - kMost)), h('dd', {})));
    return made;
  };
  const variable = (promises: Map<number, PromiseAt | null>) => {
    return (one: Variable): HTMLElement => variableRow(tr, one, promises.get(one.step.promise ?? 0) ?? null);
  };
  const heading = ({ kind, name }: VariableScope): string =>
    kind === 'global'
      ? t('variables.global')
      : t(`variables.${kind}`, model.program.hasLines ? functionName(name, tr) : name || t('step.unnamed'));
  const promise = (one: PromiseAt): HTMLElement =>
    row(
      tr,
      one.name,
      one.isChanged,
      promiseState(tr, one),
      one.step ? h('code', { class: 'value' }, valueWords(one.step)) : null,
      one.isUnhandled ? h('span', { class: 'promise-state is-rejected' }, t('promise.unhandled')) : null,
    );

  let shown = '';
  return {
    element: box.element,
    translate: () => {
      box.translate();
      shown = '';
    },
    show: ({ state: { n }, stop }) => {
      const { program } = model;
      const scopes = program.variables(n, stop);
      const promises = program.promisesAt(n, stop, kMost);
      const held = new Map(
        scopes.flatMap(({ variables }) =>
          variables.flatMap(({ step: { promise } }) =>
            promise ? [[promise, program.promiseAt(promise, n, stop)] as const] : [],
          ),
        ),
      );
      const key = JSON.stringify([scopes, promises, [...held]]);
      if (key === shown) return;
      shown = key;
      const parts = scopes.flatMap((scope) => [
        h('h3', { class: 'variables-scope' }, heading(scope)),
        h('dl', { class: 'variables-list' }, ...rows(scope.variables, variable(held))),
      ]);
      if (promises.list.length) {
        parts.push(h('h3', { class: 'variables-scope' }, t('variables.promises')));
        parts.push(h('dl', { class: 'variables-list' }, ...rows(promises.list, promise)));
        if (promises.more) parts.push(h('p', { class: 'muted' }, t('variables.earlier', promises.more)));
      }
      if (!parts.length) parts.push(h('p', { class: 'muted' }, t('variables.none')));
      const { end } = program;
      if (end) parts.push(h('p', { class: 'muted' }, t('event.steps_end', end.most ?? 0)));
      box.body.replaceChildren(...parts);
    },
  };
}
