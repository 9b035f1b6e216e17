// The contents of the queues, computed event by event: the reference for the page's model. Also asserts that the entry
// that leaves a queue is its first, or its last in `closing` (docs/trace-format.md, "What waits where").
import assert from 'node:assert/strict';

const kScheduledInto = {
  setTimeout: 'timers',
  setInterval: 'timers',
  setImmediate: 'immediates',
  nextTick: 'ticks',
  queueMicrotask: 'microtasks',
  then: 'promises',
  catch: 'promises',
  finally: 'promises',
  await: 'promises',
  write: 'writes',
  end: 'writes',
  uv_timer_start: 'timers',
  uv_idle_start: 'idle',
  uv_prepare_start: 'prepare',
  uv_check_start: 'check',
  MutationObserver: 'microtasks',
  requestAnimationFrame: 'frames',
  requestIdleCallback: 'idles',
  postMessage: 'delayedTasks',
  postTask: 'delayedTasks',
  yield: 'delayedTasks',
  fetch: 'delayedTasks',
  history: 'delayedTasks',
  IntersectionObserver: 'delayedTasks',
  'AbortSignal.timeout': 'delayedTasks',
  event: 'delayedTasks',
};
const kFirstInFirstOut = new Set(['ticks', 'microtasks', 'pending', 'immediates', 'frames']);

const kAboutQueues = new Set(['enqueue', 'dequeue', 'work_begin', 'work_end']);

// The event reports only a queue or a thread, and is no step of the page.
export const isAboutQueues = ({ ev, why }) => kAboutQueues.has(ev) || (ev === 'cancel' && why === 'settled');

// Callbacks and entries have separate numbers.
export const keyOf = ({ id, entry }) => (entry ? `entry ${entry}` : `callback ${id}`);

export class Replay {
  #events;
  #done = 0;
  #lines = new Map(); // per queue: keys; for timers also the list (by its delay)
  #own = new Set(); // timers with a libuv handle of their own: those of libuv alone, and those that were unref'd, before Node 11
  #threads = new Map();
  #batch = { turn: 0, keys: [] };

  #unit; // of the timers' lists, in ns

  constructor({ events, wholeLists }) {
    this.#events = events;
    this.#unit = wholeLists ? 1e6 : 1;
  }

  goTo(n) {
    while (this.#done < n) this.#apply(this.#events.at(this.#done++));
  }

  in(queue) {
    return (this.#lines.get(queue) ?? []).map(({ key }) => key);
  }

  // Pairs of thread and callback.
  working() {
    return [...this.#threads].sort(([a], [b]) => a - b);
  }

  #apply(event) {
    switch (event.ev) {
      case 'schedule':
        if (this.#own.has(`callback ${event.handle}`)) this.#own.add(keyOf(event));
        if (event.api === 'uv_timer_start') this.#own.add(keyOf(event));
        if (kScheduledInto[event.api]) this.#put(kScheduledInto[event.api], event);
        break;
      case 'unref':
        if (this.#unit === 1) this.#own.add(keyOf(event));
        break;
      case 'enqueue':
        this.#put(event.queue, event);
        break;
      case 'cancel':
      case 'ready':
        this.#take(keyOf(event));
        break;
      case 'dequeue':
      case 'callback_begin':
        this.#leave(event);
        break;
      case 'work_begin':
        assert.ok(!this.#threads.has(event.thread), `event ${event.seq}: thread ${event.thread} works already`);
        assert.ok(this.in('pool').includes(keyOf(event)), `event ${event.seq}: it stands at the pool`);
        this.#threads.set(event.thread, event.id);
        break;
      case 'work_end':
        assert.equal(this.#threads.get(event.thread), event.id, `event ${event.seq}: the thread ends what it began`);
        this.#threads.delete(event.thread);
        break;
      default:
        break;
    }
  }

  #put(queue, event) {
    this.#take(keyOf(event));
    const line = this.#lines.get(queue) ?? [];
    this.#lines.set(queue, [...line, { key: keyOf(event), list: Math.floor((event.delay ?? 0) / this.#unit) }]);
  }

  #take(key) {
    for (const [queue, line] of this.#lines) {
      const rest = line.filter((one) => one.key !== key);
      if (rest.length < line.length) this.#lines.set(queue, rest);
    }
  }

  #listOf({ key, list }) {
    return this.#own.has(key) ? key : list;
  }

  // The phase takes all that stand there when it begins, the last one first.
  #leaveClosing(event, line, key) {
    if (this.#batch.turn !== event.turn || this.#batch.keys.length === 0)
      this.#batch = { turn: event.turn, keys: line.map((one) => one.key) };
    assert.equal(key, this.#batch.keys.pop(), `event ${event.seq}: the last of closing leaves`);
  }

  // The entry leaves its queue in order, because it runs.
  #leave(event) {
    const key = keyOf(event);
    for (const [queue, line] of this.#lines) {
      const one = line.find((other) => other.key === key);
      if (!one) continue;
      if (event.ev === 'dequeue') assert.equal(queue, event.queue, `event ${event.seq}: the queue that it leaves`);
      const first = queue === 'timers' ? line.find((other) => this.#listOf(other) === this.#listOf(one)) : line[0];
      if (queue === 'closing') this.#leaveClosing(event, line, key);
      // What is closed leaves `pending` at once; the others are run in order.
      const isClosed = queue === 'pending' && event.phase !== 'pending';
      if (queue === 'timers' || (kFirstInFirstOut.has(queue) && !isClosed))
        assert.equal(key, first.key, `event ${event.seq}: who came first to ${queue} leaves first`);
    }
    this.#take(key);
  }
}

// The content of the page's element with this id; '': there is none.
export function elementIn(html, id) {
  const begin = html.indexOf(` id="${id}">`);
  return begin < 0 ? '' : html.slice(html.indexOf('>', begin) + 1, html.indexOf('</script>', begin));
}

// A list of the model as an array: of a long run it is none.
export const arrayOf = (list) => Array.from({ length: list.length }, (_, i) => list.at(i));
