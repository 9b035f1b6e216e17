// The call stack, innermost callback on top. Of a JavaScript program that tells its lines, also the functions that run
// within each callback: where they are, and their variables.
import type { Context, View } from '../context';
import { h, patchChildren } from '../dom';
import { functionName, placeWords, valueWords } from '../event_words';
import { ms } from '../format';
import type { FrameAt, Variable } from '../model/program_steps';
import { chip } from './chip';
import { panel } from './panel';
import { variableRow } from './variable_row';

const kMost = 40;
const kMostVariables = 24;

export function stackView(context: Context): View {
  const { model, tr } = context;
  const box = panel(context, 'stack', 'panel.stack', model.program.hasLines);

  const frameRow = (frame: FrameAt): HTMLElement => {
    const { at, end, variables } = frame;
    const where = at ? tr.t('stack.line', placeWords(at)) : '';
    const list = (of: Variable[]): HTMLElement | null =>
      of.length
        ? h('dl', { class: 'variables-list' }, ...of.slice(0, kMostVariables).map((one) => variableRow(tr, one, null)))
        : null;
    const outside = frame.around.flatMap((scope) => [
      h('div', { class: 'frame-around' }, tr.t('variables.around', functionName(scope.name, tr))),
      list(scope.variables),
    ]);
    let ending = '';
    if (end?.how === 'throw') ending = tr.t('stack.throws');
    else if (end && end.type !== 'undefined') ending = tr.t('stack.returns', valueWords(end));
    return h(
      'li',
      { class: 'frame' },
      h(
        'div',
        { class: 'frame-head' },
        h('span', { class: 'frame-name' }, functionName(frame.name, tr)),
        h('span', { class: 'frame-line' }, where),
      ),
      list(variables),
      ...outside,
      ending ? h('div', { class: 'frame-end' }, ending) : null,
    );
  };

  return {
    element: box.element,
    translate: box.translate,
    show: ({ state, stop, selected }) => {
      const ids = [...state.stack].reverse();
      const frames = model.program.hasLines ? model.program.framesAt(state.n, stop) : [];
      const rows = ids.slice(0, kMost).flatMap((id) => {
        const callback = model.callback(id);
        if (!callback) return [];
        const since = model.event(callback.begin).t;
        const inside = frames.filter((frame) => frame.callback === id).slice(0, kMost);
        const own = h(
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
        return [...inside.map(frameRow), own];
      });
      if (ids.length > kMost) rows.push(h('li', { class: 'muted' }, tr.t('queue.more', ids.length - kMost)));
      const whole = rows.length ? h('ol', { class: 'frames' }, ...rows) : h('p', { class: 'muted' }, tr.t(model.isLibuvAlone ? 'stack.empty.c' : 'stack.empty'));
      patchChildren(box.body, [whole]);
    },
  };
}
