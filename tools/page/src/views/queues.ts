// The queues, with what is in them at this moment.
import type { Context, View } from '../context';
import { h } from '../dom';
import { entryWords, nameOf } from '../event_words';
import { ms, plainMs } from '../format';
import type { Word } from '../i18n';
import type { Kind } from '../kinds';
import type { Callback, PoolRequest } from '../model/callbacks';
import type { Entry } from '../model/queues';
import type { State } from '../model/state';
import { chip } from './chip';
import { panel } from './panel';

const kMost = 24; // chips of one queue; the others are a number
const kMostLists = 12;

export function queuesView(context: Context): View {
  const { model, tr } = context;
  const { t } = tr;
  const box = panel('queues', 'panel.queues', tr, { tabindex: '0', role: 'group', 'aria-labelledby': 'queues-title' });

  type Item = Callback | Entry;
  const isEntry = (item: Item): item is Entry => item.id < 0;
  const items = (ids: number[]): Item[] => ids.flatMap((id) => (id < 0 ? model.entry(id) : model.callback(id)) ?? []);
  const callbacks = (ids: number[]): Callback[] => ids.flatMap((id) => model.callback(id) ?? []);
  const isUnref = (callback: Callback, n: number): boolean => {
    let unref = false;
    for (const event of callback.unrefs) {
      if (Math.abs(event) > n) break;
      unref = event < 0;
    }
    return unref;
  };

  const section = (kind: Kind, title: Word, size: number, ...body: (Node | null)[]): HTMLElement =>
    h(
      'div',
      { class: `queue k-${kind} ${size ? '' : 'is-empty'}` },
      h(
        'h3',
        {},
        h('span', { class: 'queue-name' }, t(title)),
        h('span', { class: 'queue-size' }, size ? String(size) : t('queue.empty')),
      ),
      ...body,
    );
  const own = (entry: Entry): HTMLElement =>
    h(
      'span',
      { class: 'chip is-own', title: t('queue.own') },
      h('span', { class: 'chip-name' }, entryWords(entry, tr)),
    );
  const chips = (list: Item[], selected: number, detail: (callback: Callback) => string): HTMLElement | null => {
    if (list.length === 0) return null;
    const shown: HTMLElement[] = list
      .slice(0, kMost)
      .map((item) => h('li', {}, isEntry(item) ? own(item) : chip(context, item, detail(item), selected)));
    if (list.length > kMost) shown.push(h('li', { class: 'muted' }, t('queue.more', list.length - kMost)));
    return h('ul', { class: 'chips' }, ...shown);
  };

  const timers = (state: State, selected: number): HTMLElement => {
    const lists = new Map<number, Callback[]>();
    for (const timer of callbacks(state.queues.timers)) {
      const list = lists.get(timer.delay);
      if (list) list.push(timer);
      else lists.set(timer.delay, [timer]);
    }
    const sorted = [...lists].sort(([, a], [, b]) => (a[0]?.due ?? 0) - (b[0]?.due ?? 0));
    const rows = sorted.slice(0, kMostLists).map(([delay, list]) =>
      h(
        'div',
        { class: 'timer-list' },
        h('h4', {}, t('queue.list', plainMs(delay))),
        chips(list, selected, (timer) => {
          const isDue = timer.due <= state.event.t;
          const due = t(isDue ? 'queue.overdue' : 'queue.due', ms(timer.due));
          return isUnref(timer, state.n) ? `${due} · ${t('queue.unref')}` : due;
        }),
      ),
    );
    if (sorted.length > kMostLists) rows.push(h('p', { class: 'muted' }, t('queue.more', sorted.length - kMostLists)));
    return section('timers', 'queue.timers', state.queues.timers.length, ...rows);
  };

  const poll = (state: State, selected: number): HTMLElement => {
    const ready = items(state.queues.ready);
    const waiting = items([...state.queues.network, ...state.queues.writes]);
    const handles = state.handles;
    const size = ready.length + waiting.length + handles.length;
    return section(
      'poll',
      'queue.poll',
      size,
      ready.length ? h('h4', {}, t('queue.ready')) : null,
      chips(ready, selected, (callback) => (callback.due >= 0 ? ms(callback.due) : callback.op)),
      waiting.length + handles.length ? h('h4', {}, t('queue.outstanding')) : null,
      chips(waiting, selected, (callback) => callback.op || callback.api),
      handles.length
        ? h(
            'ul',
            { class: 'chips' },
            ...handles
              .slice(0, kMost)
              .map((handle) => h('li', {}, h('span', { class: 'chip is-handle k-poll' }, handle.name))),
            handles.length > kMost ? h('li', { class: 'muted' }, t('queue.more', handles.length - kMost)) : null,
          )
        : null,
    );
  };

  const poolRow = (state: State, thread: number, request: PoolRequest | undefined, selected: number): HTMLElement => {
    const callback = request ? model.callback(request.id) : undefined;
    if (!request || !callback) {
      return h(
        'li',
        { class: 'thread' },
        h('span', { class: 'thread-name' }, t('pool.thread', thread)),
        h('span', { class: 'muted' }, t('pool.idle')),
      );
    }
    const share =
      request.done === Infinity ? 0 : (state.event.t - request.started) / Math.max(1, request.done - request.started);
    const until = request.done === Infinity ? t('pool.unfinished') : t('pool.until', ms(request.done));
    const bar = h('span', { class: 'thread-bar', 'aria-hidden': 'true' }, h('span', {}));
    (bar.firstChild as HTMLElement).style.width = `${Math.round(100 * share)}%`;
    return h(
      'li',
      { class: 'thread' },
      h('span', { class: 'thread-name' }, t('pool.thread', thread)),
      h('span', { class: 'thread-work' }, chip(context, callback, `${request.op} · ${until}`, selected), bar),
    );
  };

  const pool = (state: State, selected: number): HTMLElement => {
    const { running, waiting, done } = state.pool;
    const threads = model.run.header.threadpool;
    const size = running.length + waiting.length + done.length;
    const rows: HTMLElement[] = [];
    if (size) {
      for (let thread = 0; thread < Math.min(threads, 16); ++thread) {
        rows.push(
          poolRow(
            state,
            thread,
            running.find((request) => request.thread === thread),
            selected,
          ),
        );
      }
      if (threads > 16) rows.push(h('li', { class: 'muted' }, t('queue.more', threads - 16)));
    }
    const list = (requests: PoolRequest[], title: Word): Node[] => {
      const all = callbacks(requests.map((request) => request.id));
      const shown = chips(
        all,
        selected,
        (callback) => requests.find((request) => request.id === callback.id)?.op ?? '',
      );
      return shown ? [h('h4', {}, t(title)), shown] : [];
    };
    return section(
      'poll',
      'queue.pool',
      size,
      rows.length ? h('ul', { class: 'threads' }, ...rows) : null,
      ...list(waiting, 'pool.waiting'),
      ...list(done, 'pool.done'),
    );
  };

  const simple = (kind: Kind, title: Word, ids: number[], selected: number): HTMLElement =>
    section(
      kind,
      title,
      ids.length,
      chips(items(ids), selected, (callback) => (callback.by ? '' : callback.op)),
    );

  return {
    element: box.element,
    translate: box.translate,
    show: ({ state, selected }) => {
      const { queues } = state;
      const reactions = callbacks(queues.promises);
      box.body.replaceChildren(
        h(
          'div',
          { class: 'queue-pair' },
          simple('ticks', 'queue.ticks', queues.ticks, selected),
          simple('microtasks', 'queue.microtasks', queues.microtasks, selected),
        ),
        timers(state, selected),
        simple('pending', 'queue.pending', queues.pending, selected),
        poll(state, selected),
        pool(state, selected),
        simple('check', 'queue.immediates', queues.immediates, selected),
        simple('closing', 'queue.closing', queues.closing, selected),
        ...(reactions.length
          ? [
              section(
                'microtasks',
                'queue.promises',
                reactions.length,
                chips(reactions, selected, (callback) => nameOf(model, callback.by, tr)),
              ),
            ]
          : []),
      );
    },
  };
}
