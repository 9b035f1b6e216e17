// Invariants of the page's model after any event, for every scenario of the repository.
//
//   node --test model.test.mjs      with LOOPSIM_MODEL, the bundled model, and LOOPSIM_PAGES, a folder of pages
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { arrayOf, elementIn, Replay, isAboutQueues, keyOf } from './replay.mjs';

const {
  Model,
  PartFinder,
  readRun,
  longRun,
  eventWords,
  ownWords,
  Translator,
  kWords,
  readLink,
  writeLink,
  questionsOf,
  answersOf,
} = await import(pathToFileURL(process.env.LOOPSIM_MODEL));
const folder = process.env.LOOPSIM_PAGES;
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.html'))
  .sort();

function open(name) {
  const html = readFileSync(join(folder, name), 'utf8');
  const textOf = (id) => elementIn(html, id);
  return new Model(readRun(textOf('trace'), textOf('run'), () => textOf('explanations'), longRun(textOf)));
}

const plain = (state) => JSON.parse(JSON.stringify(state));
const words = new Translator('en');
const chinese = new Translator('zh');

// The text of a part in the document, whose columns are in bytes.
function partText(run, part) {
  const lines = run.document.split('\n').map((line) => Buffer.from(line));
  if (part.line === part.endLine) return lines[part.line - 1].subarray(part.column - 1, part.endColumn - 1).toString();
  return [
    lines[part.line - 1].subarray(part.column - 1),
    ...lines.slice(part.line, part.endLine - 1),
    lines[part.endLine - 1].subarray(0, part.endColumn - 1),
  ].join('\n');
}

// What a step has to have to be one that this event is about.
function fits(event, step) {
  switch (event.ev) {
    case 'log': {
      if (step.log === undefined) return false;
      const texts = [step.log].flat();
      const isPlain = texts.every((text) => typeof text === 'string' && !/[{}$]/.test(text));
      return !isPlain || texts.join(' ') === event.text;
    }
    case 'burn':
      return event.what in step;
    case 'schedule':
      // A step may hand over a callback in a step within it: {"then": {"setTimeout": 1}, ..}.
      if ('fetch' in step && event.api === 'then') return true; // (response) => response.text()
      return event.api === 'await' || JSON.stringify(step).includes(kVerbs[event.api] ?? `"${event.api}"`);
    default:
      return true;
  }
}
const kVerbs = {
  catch: '"catch"',
  finally: '"finally"',
  nextTick: '"nextTick"',
  // What a step of a page stands for.
  MutationObserver: '"setAttribute"',
};

test('there are pages to look at', () => assert.ok(files.length > 100, `${files.length} pages`));

for (const name of files) {
  test(name, () => {
    const model = open(name);
    const size = model.size;
    const stride = Math.max(1, Math.floor(size / 1500));
    const replay = new Replay(model.run);
    const finder = new PartFinder(model.run.parts);
    for (let n = 1; n <= size; n += stride) {
      const state = model.at(n);
      const { event, queues, stack } = state;

      // Each queue has the entries that were put in and have not left, in order of arrival.
      replay.goTo(n);
      for (const [queue, waiting] of Object.entries(queues))
        assert.deepEqual(waiting.map(keyOf), replay.in(queue), `event ${n}: ${queue}`);
      // No queue has a callback that has begun or was cancelled.
      for (const { id } of Object.values(queues).flat()) {
        if (!id) continue;
        const callback = model.callback(id);
        assert.ok(!callback.begin || callback.begin > n, `event ${n}: ${callback.name} has begun and is in a queue`);
        assert.ok(!callback.cancelled || callback.cancelled > n, `event ${n}: ${callback.name} is cancelled`);
      }
      // Entries without a callback have a description in both languages.
      for (const waiting of Object.values(queues).flat()) {
        if (waiting.id) continue;
        for (const tr of [words, chinese]) assert.doesNotMatch(ownWords(model, waiting, tr), /^$|\{\d|undefined/);
      }
      // The stack has the callbacks that have begun and not ended, outermost first.
      let depth = 0;
      for (const id of stack) {
        const callback = model.callback(id);
        assert.ok(
          callback.begin <= n && (!callback.end || callback.end > n),
          `event ${n}: ${callback.name} is on the stack`,
        );
        assert.equal(callback.depth, depth++, `event ${n}: depth of ${callback.name}`);
      }
      // The pool's threads have the requests that have begun and not ended; the pool's other requests wait or are done.
      const { working, waiting, done } = state.pool;
      assert.deepEqual(
        working.map(({ thread, id }) => [thread, id]),
        replay.working(),
        `event ${n}: threads`,
      );
      for (const { thread } of working) assert.ok(thread < model.run.header.threadpool, `event ${n}: thread ${thread}`);
      assert.deepEqual(
        [...working, ...waiting, ...done].map(({ id }) => id).sort(),
        queues.pool.map(({ id }) => id).sort(),
        `event ${n}: pool`,
      );

      // The step that is marked is the one that the event is about.
      if (event.line && !model.run.isScript && !model.isLibuvAlone) {
        const part = finder.step(event);
        assert.ok(part, `event ${n}: no step at ${event.line}:${event.column}`);
        const step = JSON.parse(partText(model.run, part));
        assert.ok(fits(event, step), `event ${n} is not about ${JSON.stringify(step)}`);
        assert.ok(partText(model.run, finder.around(part)).includes(partText(model.run, part)), `event ${n}: its body`);
      }

      const told = eventWords(model, event, words);
      assert.ok(
        told.length > 0 && !/\{\d|undefined|NaN/.test(told.replace(event.text ?? '', '')),
        `event ${n} in words: ${told}`,
      );
      assert.ok(eventWords(model, event, chinese).length > 0, `event ${n} in Chinese`);
    }

    // The second callback of a race is marked where it begins, and its reasons say so; the first one's do, too.
    for (const [second, firsts] of model.run.races) {
      const told = eventWords(model, model.event(model.callback(second).begin), words);
      assert.ok(told.endsWith(`⇄ a race with ${firsts.map((id) => model.callback(id).name).join(', ')}`), told);
      const rulesOf = (id) => model.run.explanation(id).sentences.map((sentence) => sentence.rule.key);
      const own = rulesOf(second);
      assert.ok(own.includes('race-after') || own.includes('race-more'), `${second}: ${own}`);
      for (const id of firsts) {
        // Of many races of one callback only the first ones are told.
        const rules = rulesOf(id);
        assert.ok(rules.includes('race-before') || rules.includes('race-more'), `${id}: ${rules}`);
      }
    }

    // The counts of drain_begin are the lengths of the queues, also in the state that the page shows for that step.
    for (const event of arrayOf(model.run.events)) {
      if (event.ev !== 'drain_begin') continue;
      for (const state of [model.at(event.seq), model.atStep(event.seq)]) {
        assert.equal(state.queues.ticks.length, event.ticks, `event ${event.seq}: ticks`);
        assert.equal(state.queues.microtasks.length, event.microtasks, `event ${event.seq}: microtasks`);
      }
    }

    // Steps are all events except those about queues, in both directions; a step's state includes its enqueues.
    const { steps } = model;
    const events = arrayOf(model.run.events);
    const expected = events.filter((event) => !isAboutQueues(event)).map((event) => event.seq);
    assert.deepEqual([...steps.events], expected);
    for (const [i, n] of size < 5000 ? expected.entries() : []) {
      assert.equal(steps.after(n), expected[Math.min(i + 1, expected.length - 1)]);
      assert.equal(steps.before(n), expected[Math.max(i - 1, 0)]);
      const end = steps.endOf(n);
      assert.ok(end >= n && (i + 1 === expected.length || end < expected[i + 1]), `step ${n} ends at ${end}`);
      for (const event of events.slice(n, end))
        assert.ok(isAboutQueues(event) && event.t === model.event(n).t, `event ${event.seq} belongs to step ${n}`);
      assert.equal(model.atStep(n).n, n);
      assert.deepEqual(plain(model.atStep(n).queues), plain(model.at(end).queues));
    }

    // At the end the queues have only callbacks that never ran.
    const last = model.at(size);
    assert.deepEqual(
      last.stack.filter((id) => model.callback(id).end !== 0),
      [],
    );
    for (const { id } of Object.values(last.queues).flat()) if (id) assert.equal(model.callback(id).begin, 0);

    // The console is the program's output.
    const output = arrayOf(model.run.events)
      .filter((event) => event.ev === 'log' || event.ev === 'error_log')
      .map((event) => event.seq);
    assert.deepEqual([...model.states.consoleLines], output);
    assert.equal(last.lines, output.length);

    // Stepping forward, backward and jumping to an event give the same state.
    const straight = new Map();
    for (let i = 1; i <= 12; ++i) {
      const n = 1 + ((i * 7919) % size);
      straight.set(n, plain(open2(name).at(n)));
    }
    for (const [n, state] of straight) {
      for (let step = n; step <= Math.min(size, n + 20); ++step) model.at(step);
      for (let step = Math.min(size, n + 20); step > n; --step) model.at(step);
      assert.deepEqual(plain(model.at(n)), state, `event ${n} after steps`);
      model.at(1);
      assert.deepEqual(plain(model.at(n)), state, `event ${n} from the first`);
    }

    // Stepping by callback visits all of them, in both directions.
    if (model.callbacks.inOrder.length < 300) {
      const forward = [];
      for (let n = model.nextCallback(0); n !== null; n = model.nextCallback(n)) forward.push(n);
      const back = [];
      for (let n = model.previousCallback(size + 1); n !== null; n = model.previousCallback(n)) back.push(n);
      assert.deepEqual(
        forward,
        model.callbacks.inOrder.map((callback) => callback.begin),
      );
      assert.deepEqual(back.reverse(), forward);
    }

    // Every callback that began has an explanation, and all callbacks named in it exist.
    for (const callback of model.callbacks.inOrder) {
      const explanation = model.run.explanation(callback.id);
      assert.ok(explanation && explanation.sentences.length > 0, `${callback.name} is explained`);
      for (const { rule, args } of explanation.sentences) {
        for (const language of ['en', 'zh']) {
          for (const [, index] of rule[language].matchAll(/\{(\d+)\}/g))
            assert.ok(Number(index) < args.length, `${rule.key}: {${index}} in ${language}`);
        }
        for (const argument of args)
          if (Array.isArray(argument))
            assert.ok(model.callback(argument[1]), `${rule.key} names callback ${argument[1]}`);
      }
    }
    // Each step with a line has a part of the document, and each part has lines in the script; not in that of libuv alone, in C.
    if (model.isLibuvAlone) return;
    const lines = new Set(model.run.parts.map((part) => part.line));
    const scriptLines = model.run.script.split('\n').length;
    for (const event of arrayOf(model.run.events))
      if (!model.run.isScript && event.line && event.ev === 'log') assert.ok(lines.has(event.line), `line ${event.line} has a step`);
    for (const part of model.run.parts)
      assert.ok(part.first >= 1 && part.last >= part.first && part.last <= scriptLines, `${part.name} in the script`);
  });
}

const opened = new Map();
function open2(name) {
  const known = opened.get(name);
  if (known) return known;
  opened.clear();
  const fresh = open(name);
  opened.set(name, fresh);
  return fresh;
}

test('a step of the document and its lines of the script are the same step', () => {
  const model = open('lessons-a-tour-of-the-loop.html');
  const lines = model.run.script.split('\n');
  const logs = model.run.parts.filter((part) => part.name === 'log');
  assert.ok(logs.length > 15);
  const document = model.run.document.split('\n');
  for (const part of logs) {
    const text = /"log": "\s*([^"{]*)/.exec(document[part.line - 1].slice(part.column - 1))[1];
    assert.ok(
      lines
        .slice(part.first - 1, part.last)
        .join('\n')
        .includes(text),
      `${text} in lines ${part.first} to ${part.last}`,
    );
  }
});

test('the pending, closing, check and poll queues at known moments of a tour', () => {
  const model = open('lessons-a-tour-of-the-loop.html');
  const names = (list) => list.map(({ name, id }) => name || model.callback(id).name);
  const at = (ev, name) => arrayOf(model.run.events).find((event) => event.ev === ev && event.name === name).seq;
  const begins = model.at(at('callback_begin', 'timer1'));
  assert.deepEqual(names(begins.queues.timers), ['timer2']);
  assert.deepEqual(names(begins.queues.immediates), ['immediate1']);
  assert.deepEqual(names(begins.queues.pending), ['socket']);
  assert.deepEqual(names(begins.pool.done), ['file2', 'file1']); // in order of submission; file1 was done first
  assert.deepEqual(names(begins.pool.working), ['file3']);
  const file1 = model.at(at('callback_begin', 'file1'));
  assert.deepEqual(names(file1.queues.ready), ['file2']);
  const after = model.at(at('callback_begin', 'immediate2'));
  assert.deepEqual(names(after.queues.closing), ['socket']);
  assert.deepEqual(names(after.queues.timers), ['timer3']);
});

test('chains of then are queued one after the other', () => {
  const model = open('lessons-then-chains-interleave.html');
  const line = (text) => arrayOf(model.run.events).find((event) => event.text === text).seq;
  const names = (list) => list.map(({ name, id }) => name || model.callback(id).name);
  assert.deepEqual(names(model.at(line('a1')).queues.microtasks), ['b1']);
  assert.deepEqual(names(model.at(line('b1')).queues.microtasks), ['a2']);
  assert.deepEqual(names(model.at(line('a2')).queues.microtasks), ['b2']);
});

test('six requests on four threads: two wait', () => {
  const model = open('lessons-thread-pool-six-on-four.html');
  const end = arrayOf(model.run.events).find((event) => event.ev === 'callback_end').seq;
  assert.equal(model.at(end).pool.working.length, 4);
  assert.equal(model.at(end).pool.waiting.length, 2);
});

// ---- hand-written traces in which later events would suggest a different state

function written(...events) {
  const full = events.map((event, i) => ({ seq: i + 1, t: i * 1000, loop: 0, turn: 0, phase: 'main', ...event }));
  const header = { threadpool: 4 };
  const lists = { parts: [], folds: [], gaps: [] };
  const run = { header, events: full, lines: full, ...lists, races: new Map(), summary: {} };
  return new Model({ ...run, explanations: () => new Map() });
}
const then = (id, name, more = {}) => ({ ev: 'schedule', api: 'then', id, name, by: 1, as: 'first', ...more });
const queued = (queue, id, name, api = 'then') => ({ ev: 'enqueue', queue, api, id, name });
const namesIn = (model, n, queue) => model.at(n).queues[queue].map(({ name, op }) => name || op);

test('reactions stand among the microtasks from their enqueue on, in its order', () => {
  const model = written(
    { ev: 'callback_begin', api: 'main', id: 1, name: 'main' },
    then(2, 'a'),
    then(3, 'b'),
    then(4, 'c'),
    queued('microtasks', 3, 'b'),
    { ev: 'log', text: 'b is settled before a' },
    queued('microtasks', 2, 'a'),
    { ev: 'callback_end', api: 'main', id: 1, name: 'main', how: 'normal' },
    { ev: 'drain_begin', ticks: 0, microtasks: 2 },
    { ev: 'cancel', api: 'then', id: 4, name: 'c', why: 'settled' },
    { ev: 'callback_begin', api: 'then', id: 3, name: 'b', by: 1 },
  );
  assert.deepEqual(namesIn(model, 4, 'promises'), ['a', 'b', 'c']);
  assert.deepEqual(namesIn(model, 6, 'microtasks'), ['b']);
  assert.deepEqual(namesIn(model, 6, 'promises'), ['a', 'c']);
  assert.deepEqual(namesIn(model, 9, 'microtasks'), ['b', 'a']); // a never runs: the order cannot be that of execution
  assert.deepEqual(namesIn(model, 9, 'promises'), ['c']);
  assert.deepEqual(namesIn(model, 10, 'promises'), []); // it will never run
  assert.deepEqual(namesIn(model, 11, 'microtasks'), ['a']);
  assert.deepEqual([...model.steps.events], [1, 2, 3, 4, 6, 8, 9, 11]);
  assert.match(eventWords(model, model.event(10), words), /^c will never run: the promise was settled the other way/);
});

test('what is of Node’s own stands in its place among the callbacks', () => {
  const model = written(
    { ev: 'callback_begin', api: 'main', id: 1, name: 'main' },
    { ev: 'schedule', api: 'nextTick', id: 2, name: 'first', by: 1, as: 'first' },
    { ev: 'enqueue', queue: 'ticks', entry: 2, name: 'socket', op: 'emitCloseNT' }, // entries are numbered separately
    { ev: 'schedule', api: 'nextTick', id: 3, name: 'second', by: 1, as: 'first' },
    { ev: 'enqueue', queue: 'microtasks', entry: 3, op: 'NewPromiseResolveThenableJob' },
    { ev: 'callback_end', api: 'main', id: 1, name: 'main', how: 'normal' },
    { ev: 'drain_begin', ticks: 3, microtasks: 1 },
    { ev: 'callback_begin', api: 'nextTick', id: 2, name: 'first', by: 1 },
    { ev: 'callback_end', api: 'nextTick', id: 2, name: 'first', how: 'normal' },
    { ev: 'dequeue', queue: 'ticks', entry: 2, name: 'socket', op: 'emitCloseNT' },
    { ev: 'callback_begin', api: 'nextTick', id: 3, name: 'second', by: 1 },
    { ev: 'callback_end', api: 'nextTick', id: 3, name: 'second', how: 'normal' },
    { ev: 'dequeue', queue: 'microtasks', entry: 3 },
    { ev: 'drain_end' },
  );
  assert.deepEqual(namesIn(model, 7, 'ticks'), ['first', 'socket', 'second']);
  assert.deepEqual(namesIn(model, 9, 'ticks'), ['socket', 'second']);
  assert.deepEqual(namesIn(model, 10, 'ticks'), ['second']);
  assert.deepEqual(namesIn(model, 12, 'microtasks'), ['NewPromiseResolveThenableJob']);
  assert.deepEqual(
    [6, 7, 8, 10, 13, 14].map((n) => model.at(n).draining),
    ['no', 'begun', 'ticks', 'ticks', 'microtasks', 'no'],
  );
  assert.match(ownWords(model, model.at(7).queues.ticks[1], words), /^emitCloseNT \(socket\): a tick of Node’s own/);
  assert.match(ownWords(model, model.at(7).queues.microtasks[0], chinese), /V8 自己的任务/);
  assert.deepEqual(
    [3, 13].map((n) => eventWords(model, model.event(n), words)),
    [
      'emitCloseNT (socket) now waits among the ticks',
      'NewPromiseResolveThenableJob no longer waits among the microtasks', // although the dequeue does not name it
    ],
  );
});

test('a request is on the thread that took it, when it took it, and waits while none does', () => {
  const file = (id, name) => ({ ev: 'schedule', api: 'fs', id, name, by: 1, as: 'first', op: 'open' });
  const work = (ev, id, name, thread) => ({ ev, api: 'fs', id, name, thread, op: 'open' });
  const model = written(
    { ev: 'callback_begin', api: 'main', id: 1, name: 'main' },
    file(2, 'x'),
    queued('pool', 2, 'x', 'fs'),
    file(3, 'y'),
    queued('pool', 3, 'y', 'fs'),
    work('work_begin', 3, 'y', 3), // neither the first request nor the first thread
    { ev: 'burn', what: 'cpu', asked: 1, from: 5000, took: 1 },
    work('work_begin', 2, 'x', 1),
    work('work_end', 3, 'y', 3),
    queued('ready', 3, 'y', 'fs'),
    { ev: 'exit', code: 0, why: 'process_exit' }, // x is not done
  );
  const pool = (n) => {
    const { working, waiting, done } = model.at(n).pool;
    return [working.map(({ thread, id }) => [thread, id]), waiting.map(({ id }) => id), done.map(({ id }) => id)];
  };
  assert.deepEqual(pool(5), [[], [2, 3], []]);
  assert.deepEqual(pool(7), [[[3, 3]], [2], []]);
  assert.deepEqual(pool(8), [
    [
      [1, 2],
      [3, 3],
    ],
    [],
    [],
  ]);
  assert.deepEqual(pool(9), [[[1, 2]], [], [3]]);
  assert.deepEqual(pool(11), [[[1, 2]], [], []]);
  assert.deepEqual(namesIn(model, 11, 'ready'), ['y']);
  assert.deepEqual(
    model.work.map(({ id, thread, begin, end }) => [id, thread, begin, end]),
    [
      [3, 3, 6, 9],
      [2, 1, 8, 0],
    ],
  );
});

test('nothing stands anywhere before the trace says so', () => {
  const model = written(
    { ev: 'callback_begin', api: 'main', id: 1, name: 'main' },
    { ev: 'callback_end', api: 'main', id: 1, name: 'main', how: 'normal' },
    { ev: 'poll', phase: 'poll', turn: 1, rule: 'no_timer', timeout: -1, blocked: 5, woke: 'event', served: 1 },
    { ev: 'phase_enter', phase: 'closing', turn: 1 },
    { ev: 'callback_begin', api: 'close', id: 2, name: 'socket.close', by: 1, op: 'close', phase: 'closing', turn: 1 },
  );
  for (let n = 1; n <= model.size; ++n) assert.deepEqual(Object.values(model.at(n).queues).flat(), [], `event ${n}`);
});

test('a step takes along what it puts into a queue, and nothing that leaves one', () => {
  const model = written(
    { ev: 'schedule', api: 'fs', id: 2, name: 'x', as: 'first', t: 0 },
    { ...queued('pool', 2, 'x', 'fs'), t: 0 },
    { ev: 'work_begin', api: 'fs', id: 2, name: 'x', thread: 0, t: 0 },
    { ev: 'work_end', api: 'fs', id: 2, name: 'x', thread: 0, t: 0 },
    { ev: 'drain_begin', ticks: 0, microtasks: 0, t: 0 },
    { ev: 'enqueue', queue: 'ticks', entry: 1, op: 'resume_', t: 7 },
    { ev: 'drain_end', t: 7 },
  );
  const { steps } = model;
  assert.deepEqual([...steps.events], [1, 5, 7]);
  assert.deepEqual(
    [1, 2, 4, 5, 7].map((n) => steps.endOf(n)),
    [3, 2, 4, 5, 7],
  );
  assert.equal(model.atStep(1).pool.working.length, 1);
  assert.equal(model.atStep(1).event.ev, 'schedule');
  assert.equal(model.atStep(5).queues.ticks.length, 0); // the step's end does not include it
  // From any event, and from any scrubber position.
  assert.deepEqual(
    [1, 2, 4, 5, 7].map((n) => steps.after(n)),
    [5, 5, 5, 7, 7],
  );
  assert.deepEqual(
    [1, 2, 4, 5, 7].map((n) => steps.before(n)),
    [1, 1, 1, 1, 5],
  );
  assert.equal(steps.after(1, 2), 7);
  assert.equal(steps.after(1, 99), 7);
  assert.equal(steps.towards(3, 1), 5);
  assert.equal(steps.towards(4, 7), 1);
  assert.equal(steps.towards(6, 7), 5);
});

test('a long emptying of the queues, come to from afar', () => {
  const ticks = Array.from({ length: 400 }, (_, i) => ({ ev: 'enqueue', queue: 'ticks', entry: i + 1, op: 'resume_' }));
  const gone = ticks.map((event) => ({ ...event, ev: 'dequeue' }));
  const model = written(...ticks, { ev: 'drain_begin', ticks: 400, microtasks: 0 }, ...gone, { ev: 'drain_end' });
  for (const n of [700, 401, 600, 400, 802, 530]) {
    const state = model.at(n);
    assert.equal(state.draining, n < 401 || n > 801 ? 'no' : n === 401 ? 'begun' : 'ticks', `event ${n}`);
    assert.equal(state.queues.ticks.length, Math.min(400, Math.max(0, 801 - n)), `event ${n}`);
  }
});

// ---- the program's steps ----

// What a program sees at a stop, as text: "here n=2, global last='done'".
function seen(model, n, stop) {
  return model.program
    .variables(n, stop)
    .map(
      ({ kind, variables }) =>
        `${kind} ${variables
          .filter(({ name }) => ['n', 'by', 'p', 'q', 'last'].includes(name))
          .map(({ name, step, isChanged }) => `${name}=${step.value}${isChanged ? '*' : ''}`)
          .join(' ')}`,
    )
    .join('; ');
}

test('the variables in scope at each step of the program', () => {
  const model = open('variables.html');
  const first = arrayOf(model.run.events).find(({ ev, name }) => ev === 'callback_begin' && name === 'first').seq;
  const told = [];
  for (let n = first; model.event(n).ev !== 'callback_end'; n = model.steps.after(n))
    for (let stop = 0; stop <= model.stopsAfter(n); ++stop)
      told.push(`${eventWords(model, model.program.stop(n, stop) ?? model.event(n), words)} | ${seen(model, n, stop)}`);
  const global = 'global p=Promise { <pending> } q=Promise { <pending> }';
  assert.deepEqual(told, [
    `first begins, 1.000 ms late | here n=0; ${global}`,
    `The function count is called | here by=2*; around n=0; ${global}`,
    `n becomes 2 | here by=2; around n=2*; ${global}`,
    `prints “n is 2” | here by=2; around n=2; ${global}`,
    `The condition on n holds: 2 > 1 | here n=2; ${global}`,
    `The promise p is fulfilled | here n=2; ${global}`,
  ]);
});

// The calls in progress and their variables, as text: "add:3 name='a' n=1 | main:13 ...".
function frames(model, n, stop) {
  return model.program
    .framesAt(n, stop)
    .map(({ name, at, end, variables, around }) => {
      const shown = [...variables, ...around.flatMap((one) => one.variables)]
        .filter(({ step }) => step.type !== 'function' && step.type !== 'uninitialized')
        .map(({ name: variable, step, isChanged }) => ` ${variable}=${step.value}${isChanged ? '*' : ''}`);
      return `${name}:${at?.line ?? ''}${end ? ` returns ${end.value}` : ''}${shown.join('')}`;
    })
    .join(' | ');
}

const kLines = [
  'main script begins > ',
  'At line 1 of main script > main:1',
  'At line 7 of main script > main:7 seen=[]*',
  'At line 13 of main script > main:13 seen=[]',
  'At line 3 of add > add:3 name=a* n=1* | main:13 seen=[]',
  'At line 4 of add > add:4 name=a n=1 text=a1* | main:13 seen=[]',
  "At line 5 of add > add:5 name=a n=1 text=a1 | main:13 seen=[ 'a1' ]*",
  "add returns 'a1' > add:5 returns a1 name=a n=1 text=a1 | main:13 seen=[ 'a1' ]",
  "prints “a1” > main:13 seen=[ 'a1' ]",
  'main script ends > ',
  'late begins > ',
  "At line 8 of late > late:8 seen=[ 'a1' ]",
  "At line 9 of late > late:9 i=0* seen=[ 'a1' ]",
  "At line 3 of add > add:3 name=t* n=0* seen=[ 'a1' ] | late:9 i=0",
  "At line 4 of add > add:4 name=t n=0 text=t0* seen=[ 'a1' ] | late:9 i=0",
  "At line 5 of add > add:5 name=t n=0 text=t0 seen=[ 'a1', 't0' ]* | late:9 i=0",
  "add returns 't0' > add:5 returns t0 name=t n=0 text=t0 seen=[ 'a1', 't0' ] | late:9 i=0",
  "At line 8 of late > late:8 seen=[ 'a1', 't0' ]",
  "At line 9 of late > late:9 i=1* seen=[ 'a1', 't0' ]",
  "At line 3 of add > add:3 name=t* n=1* seen=[ 'a1', 't0' ] | late:9 i=1",
  "At line 4 of add > add:4 name=t n=1 text=t1* seen=[ 'a1', 't0' ] | late:9 i=1",
  "At line 5 of add > add:5 name=t n=1 text=t1 seen=[ 'a1', 't0', 't1' ]* | late:9 i=1",
  "add returns 't1' > add:5 returns t1 name=t n=1 text=t1 seen=[ 'a1', 't0', 't1' ] | late:9 i=1",
  "At line 8 of late > late:8 seen=[ 'a1', 't0', 't1' ]",
  "At line 11 of late > late:11 seen=[ 'a1', 't0', 't1' ]",
  "prints “a1,t0,t1” > late:11 seen=[ 'a1', 't0', 't1' ]",
  'late ends > ',
];

test('the lines of a JavaScript program, its calls and their variables', { skip: !files.includes('lines.html') }, () => {
  const model = open('lines.html');
  assert.equal(model.run.isScript, true);
  assert.equal(model.run.document, model.run.script);
  const told = [];
  for (let n = 1; n <= model.size; n = model.steps.after(n)) {
    for (let stop = 0; stop <= model.stopsAfter(n); ++stop) {
      const event = model.program.stop(n, stop) ?? model.event(n);
      if (['callback_begin', 'line', 'leave', 'log', 'callback_end'].includes(event.ev))
        told.push(`${eventWords(model, event, words)} > ${frames(model, n, stop)}`);
    }
    if (n === model.steps.last) break;
  }
  assert.deepEqual(told, kLines);
});

test('a value of a promise, and one that nobody handles', () => {
  const model = open('variables.html');
  const states = (n) =>
    model.program
      .promisesAt(n, model.stopsAfter(n))
      .list.map(({ name, state, step, isUnhandled }) => `${name} ${state} ${step?.value ?? ''}${isUnhandled ? '!' : ''}`);
  const settled = arrayOf(model.run.events).find(({ ev }) => ev === 'settle').seq;
  assert.deepEqual(states(settled - 1), ['p pending ', 'q pending ', 'reaction pending ']);
  assert.deepEqual(plain(model.program.promisesAt(settled - 1, 0, 2)).more, 1);
  assert.deepEqual(states(settled)[0], "p fulfilled 'done'");
  assert.deepEqual(states(model.size)[1], 'q rejected Error: too late!');
});

test('every step of a program is told in words, and every one is in its place', () => {
  let stops = 0;
  for (const name of files) {
    const model = open(name);
    const { run, program, steps, size } = model;
    let seq = 0;
    for (const line of arrayOf(run.lines)) {
      assert.ok(line.seq === seq || line.seq === seq + 1, name);
      seq = line.seq;
      if (!['scope', 'assign', 'condition', 'promise', 'line', 'leave', 'steps_end'].includes(line.ev)) continue;
      for (const tr of [words, chinese])
        assert.doesNotMatch(
          eventWords(model, line, tr)
            .replaceAll(String(line.value), '')
            .replaceAll(line.text ?? '', ''),
          /\{\d|undefined|^$/,
          `${name}: ${JSON.stringify(line)}`,
        );
    }
    // Going forward over all steps of the page meets each stop once.
    let met = 0;
    for (const n of size < 5000 ? steps.events : []) {
      for (let stop = 1; stop <= model.stopsAfter(n); ++stop) {
        assert.ok(program.stop(n, stop).seq >= n, `${name}: event ${n}`);
        ++met;
      }
    }
    if (size < 5000) assert.equal(met, program.stopsBetween(1, size + 1), name);
    stops += met;
  }
  assert.ok(stops > 500, `${stops} stops`);
});

// ---- predict first ----

test('each question has one right answer, which stands in a queue, and all that is known is in the past', () => {
  let questions = 0;
  for (const name of files) {
    const model = open(name);
    const list = questionsOf(model);
    questions += list.length;
    for (const one of list) {
      const where = `${name}: event ${one.at}`;
      const answers = one.choices.filter(({ id }) => id === one.answer);
      assert.equal(answers.length, 1, where);
      assert.equal(new Set(one.choices.map((choice) => choice.name)).size, one.choices.length, where);
      assert.ok(one.choices.length >= 2 && one.choices.length <= 5, where);
      // It is the next callback that the loop begins.
      assert.equal(model.event(one.begin).id, one.answer, where);
      for (let n = one.at + 1; n < one.begin; ++n) assert.notEqual(model.event(n).ev, 'callback_begin', `${where}: ${n}`);
      const { queues, stack } = model.atStep(one.at);
      assert.deepEqual(plain(stack), [], where);
      for (const { id, queue } of one.choices) {
        assert.ok(queues[queue].some((waiting) => waiting.id === id), `${where}: ${id} stands in ${queue}`);
        const { begin } = model.callback(id);
        assert.ok(!begin || begin >= one.begin, where);
      }
      assert.ok((model.run.explanation(one.answer)?.sentences.length ?? 0) > 0, `${where}: its reason`);
    }
  }
  assert.ok(questions > 500, `${questions} questions`);
});

test('what a document expects of its run is found, to be covered', () => {
  assert.deepEqual(answersOf(['{', '  "main": [],', '  "expect": {', '    "output": ["}"]', '  },', '  "seed": 1', '}']), [2, 5]);
  assert.deepEqual(answersOf(['{ "main": [] }']), [0, 0]);
  assert.deepEqual(answersOf(['{ "main": [],', '"expect": { "output": [] } }']), [1, 2]);
});

test('both languages have all words, with the same places', () => {
  const { en, zh } = kWords;
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  const places = (text) => [...new Set([...text.matchAll(/\{(\d+)/g)].map(([, index]) => index))].sort();
  for (const key of Object.keys(en)) {
    assert.ok(en[key].trim() && zh[key].trim(), `${key} is not empty`);
    const [mine, theirs] = [places(en[key]), places(zh[key])];
    assert.deepEqual(theirs, mine, `places of ${key}`);
  }
  const same = Object.keys(en).filter((key) => en[key] === zh[key]);
  // Names that are not translated: an event as in Node's documentation, functions, and the like.
  const foreign = [
    ...['phase.beforeExit', 'panel.script', 'panel.c', 'phase.main.c', 'by.none', 'queue.unref'],
  ];
  assert.deepEqual(same.sort(), foreign.sort());
});

test('deep links are read as they are written', () => {
  const plain = { event: null, stop: 0, predict: false, language: null, theme: null };
  assert.deepEqual(readLink('#event=123&lang=zh&theme=dark'), { ...plain, event: 123, language: 'zh', theme: 'dark' });
  assert.deepEqual(readLink('#predict'), { ...plain, predict: true });
  for (const link of [{ event: 7, stop: 3 }, { event: 7, predict: true, language: 'zh' }])
    assert.deepEqual(readLink(writeLink({ ...plain, ...link })), { ...plain, ...link });
  assert.deepEqual(readLink(writeLink({ ...plain, event: 7, language: 'en', theme: 'light' })), {
    ...plain,
    event: 7,
    language: 'en',
    theme: 'light',
  });
  assert.deepEqual(readLink('#event=-1&lang=xx&theme=<b>'), plain);
  assert.deepEqual(readLink(''), plain);
});
