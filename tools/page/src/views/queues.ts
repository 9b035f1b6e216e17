// The queues and their current entries.
import type { Context, View } from '../context';
import { h, patchChildren } from '../dom';
import { nameOf, sourceWord } from '../event_words';
import { ms, plainMs } from '../format';
import type { Word } from '../i18n';
import type { Kind } from '../kinds';
import type { Callback } from '../model/callbacks';
import type { Work } from '../model/pool';
import type { Waiting } from '../model/queues';
import type { State } from '../model/state';
import { chip, ownChip } from './chip';
import { panel } from './panel';

const kMost = 24; // chips per queue; the rest is shown as a number
const kMostLists = 12;
const kMostThreads = 16;

type Detail = (callback: Callback, waiting: Waiting) => string;

export function queuesView(context: Context): View {
  const { model, tr } = context;
  const { t } = tr;
  const box = panel(context, 'queues', 'panel.queues', true);

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
  const more = (tag: 'li' | 'p', count: number): HTMLElement => h(tag, { class: 'muted' }, t('queue.more', count));

  const chips = (list: Waiting[], kind: Kind, selected: number, detail: Detail): HTMLElement | null => {
    if (list.length === 0) return null;
    const shown = list.slice(0, kMost).map((waiting): HTMLElement => {
      const callback = model.callback(waiting.id);
      const one = callback
        ? chip(context, callback, detail(callback, waiting), selected)
        : ownChip(context, waiting, kind);
      return h('li', {}, one);
    });
    if (list.length > kMost) shown.push(more('li', list.length - kMost));
    return h('ul', { class: 'chips' }, ...shown);
  };
  // A part of a queue with a heading.
  const part = (title: Word, list: HTMLElement | null): HTMLElement[] => (list ? [h('h4', {}, t(title)), list] : []);

  const simple = (kind: Kind, title: Word, list: Waiting[], selected: number): HTMLElement =>
    section(
      kind,
      title,
      list.length,
      chips(list, kind, selected, (callback) => (callback.by ? '' : callback.op)),
    );
  // Queues that are usually empty are hidden while empty.
  const seldom = (kind: Kind, title: Word, list: Waiting[], selected: number, detail: Detail): HTMLElement | null =>
    list.length ? section(kind, title, list.length, chips(list, kind, selected, detail)) : null;

  const timerDetail = (timer: Callback, state: State): string => {
    const due = t(timer.due <= state.event.t ? 'queue.overdue' : 'queue.due', ms(timer.due));
    return isUnref(timer, state.n) ? `${due} · ${t('queue.unref')}` : due;
  };
  // Before Node 11, unref() takes a timer out of its list and gives it a libuv handle of its own.
  const hasOwnHandle = (id: number, n: number): boolean =>
    !model.run.wholeLists && (model.callback(id)?.unrefs.some((event) => event < 0 && -event <= n) ?? false);
  const timers = (state: State, selected: number): HTMLElement => {
    const lists = new Map<string, Waiting[]>(); // by heading
    const dueOf = (waiting: Waiting | undefined): number => model.callback(waiting?.id ?? 0)?.due ?? 0;
    for (const timer of state.queues.timers) {
      const delay = model.callback(timer.id)?.delay ?? 0;
      const length = model.run.wholeLists ? delay - (delay % 1e6) : delay;
      const list = hasOwnHandle(timer.id, state.n) ? `${plainMs(length)} ${timer.id}` : plainMs(length);
      const others = lists.get(list);
      if (others) others.push(timer);
      else lists.set(list, [timer]);
    }
    const sorted = [...lists].sort(([, a], [, b]) => dueOf(a[0]) - dueOf(b[0]));
    const rows = sorted.slice(0, kMostLists).map(
      ([heading, list]): HTMLElement =>
        h(
          'div',
          { class: 'timer-list' },
          h('h4', {}, t(heading.includes(' ') ? 'queue.own' : 'queue.list', heading.replace(/ .*/, ''))),
          chips(list, 'timers', selected, (timer) => timerDetail(timer, state)),
        ),
    );
    if (sorted.length > kMostLists) rows.push(more('p', sorted.length - kMostLists));
    return section('timers', 'queue.timers', state.queues.timers.length, ...rows);
  };

  // Timers of libuv stand in one heap, those of a browser by the time at which they are due.
  const heap = (state: State, selected: number): HTMLElement => {
    const dueOf = (waiting: Waiting): number => model.callback(waiting.id)?.due ?? 0;
    const list = [...state.queues.timers].sort((a, b) => dueOf(a) - dueOf(b));
    return section(
      'timers',
      'queue.timers',
      list.length,
      chips(list, 'timers', selected, (timer) => timerDetail(timer, state)),
    );
  };

  // The enqueue of a task tells its source.
  const tasks = (state: State, selected: number): HTMLElement => {
    const list = state.queues.tasks;
    return section(
      'poll',
      'queue.tasks',
      list.length,
      chips(list, 'poll', selected, (_callback, { op }) => (op ? t(sourceWord(op)) : '')),
    );
  };

  const poll = (state: State, selected: number): HTMLElement => {
    const { ready, network } = state.queues;
    return section(
      'poll',
      'queue.poll',
      ready.length + network.length,
      ...part(
        'queue.ready',
        chips(ready, 'poll', selected, (callback) => (callback.due >= 0 ? ms(callback.due) : callback.op)),
      ),
      ...part(
        'queue.network',
        chips(network, 'poll', selected, (callback, { op }) => op || callback.api),
      ),
    );
  };

  const thread = (number: number, body: HTMLElement): HTMLElement =>
    h('li', { class: 'thread' }, h('span', { class: 'thread-name' }, t('pool.thread', number)), body);
  const threadRow = (state: State, number: number, work: Work | undefined, selected: number): HTMLElement => {
    const callback = model.callback(work?.id ?? 0);
    if (!work || !callback) return thread(number, h('span', { class: 'muted' }, t('pool.idle')));
    const from = model.event(work.begin).t;
    const to = work.end ? model.event(work.end).t : Infinity;
    const share = to === Infinity ? 0 : (state.event.t - from) / Math.max(1, to - from);
    const until = to === Infinity ? t('pool.unfinished') : t('pool.until', ms(to));
    const done = h('span', {});
    done.style.width = `${Math.round(100 * share)}%`;
    return thread(
      number,
      h(
        'span',
        { class: 'thread-work' },
        chip(context, callback, `${work.op} · ${until}`, selected),
        h('span', { class: 'thread-bar', 'aria-hidden': 'true' }, done),
      ),
    );
  };

  const pool = (state: State, selected: number): HTMLElement => {
    const { working, waiting, done } = state.pool;
    const threads = model.run.header.threadpool;
    const size = state.queues.pool.length;
    const rows: HTMLElement[] = [];
    for (let number = 0; size && number < Math.min(threads, kMostThreads); ++number) {
      const work = working.find((one) => one.thread === number);
      rows.push(threadRow(state, number, work, selected));
    }
    if (size && threads > kMostThreads) rows.push(more('li', threads - kMostThreads));
    const detail: Detail = (_callback, { op }) => op;
    return section(
      'poll',
      'queue.pool',
      size,
      rows.length ? h('ul', { class: 'threads' }, ...rows) : null,
      ...part('pool.waiting', chips(waiting, 'poll', selected, detail)),
      ...part('pool.done', chips(done, 'poll', selected, detail)),
    );
  };

  return {
    element: box.element,
    translate: box.translate,
    show: ({ state, selected }) => {
      const { queues } = state;
      const ofLibuv = [
        heap(state, selected),
        simple('pending', 'queue.pending', queues.pending, selected),
        simple('idle', 'queue.idle', queues.idle, selected),
        simple('idle', 'queue.prepare', queues.prepare, selected),
        poll(state, selected),
        seldom('poll', 'queue.async', queues.async, selected, () => ''),
        pool(state, selected),
        simple('check', 'queue.check', queues.check, selected),
        simple('closing', 'queue.closing', queues.closing, selected),
      ];
      const ofBrowser = [
        simple('microtasks', 'queue.microtasks', queues.microtasks, selected),
        tasks(state, selected),
        heap(state, selected),
        seldom('poll', 'queue.delayedTasks', queues.delayedTasks, selected, (task) => (task.due < 0 ? '' : timerDetail(task, state))),
        simple('check', 'queue.frames', queues.frames, selected),
        simple('idle', 'queue.idles', queues.idles, selected),
        seldom('microtasks', 'queue.promises', queues.promises, selected, ({ by }) => nameOf(model, by, tr)),
      ];
      const ofNode = [
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
        seldom('poll', 'queue.writes', queues.writes, selected, (callback) => callback.api),
        seldom('microtasks', 'queue.promises', queues.promises, selected, ({ by }) => nameOf(model, by, tr)),
      ];
      patchChildren(
        box.body,
        (model.isBrowser ? ofBrowser : model.isLibuvAlone ? ofLibuv : ofNode).filter((one) => one !== null),
      );
    },
  };
}
