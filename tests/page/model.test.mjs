// The model of the page, for every scenario of the repository: what must hold of the state after any event.
//
//   node --test model.test.mjs      with LOOPSIM_MODEL, the bundled model, and LOOPSIM_PAGES, a folder of pages
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { Model, readRun, eventWords, Translator, kWords, readLink, writeLink } = await import(
  pathToFileURL(process.env.LOOPSIM_MODEL)
);
const folder = process.env.LOOPSIM_PAGES;
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.html'))
  .sort();

function textOf(html, id) {
  const begin = html.indexOf('>', html.indexOf(`id="${id}"`)) + 1;
  return html.slice(begin, html.indexOf('</script>', begin));
}

function open(name) {
  const html = readFileSync(join(folder, name), 'utf8');
  return new Model(readRun(textOf(html, 'trace'), textOf(html, 'run'), () => textOf(html, 'explanations')));
}

const plain = (state) => JSON.parse(JSON.stringify(state, (_key, value) => (value === Infinity ? 'never' : value)));
const words = new Translator('en');
const chinese = new Translator('zh');

test('there are pages to look at', () => assert.ok(files.length > 100, `${files.length} pages`));

// Queues that are first in, first out; `closing` is last in, first out.
const kFirstOut = new Set(['ticks', 'microtasks', 'immediates', 'pending']);

// What leaves one of these queues at event n was the first of it: `before` is the queue as it was after the event before.
function checkOrder(model, event, before) {
  const id = event.ev === 'dequeue' ? -event.entry : event.id;
  if (event.ev !== 'dequeue' && event.ev !== 'callback_begin') return;
  for (const [queue, ids] of Object.entries(before)) {
    if (!ids.includes(id)) continue;
    if (kFirstOut.has(queue)) assert.equal(ids[0], id, `event ${event.seq}: the first of ${queue} leaves`);
    if (queue === 'closing') assert.equal(ids.at(-1), id, `event ${event.seq}: the last of closing leaves`);
    return;
  }
}

for (const name of files) {
  test(name, () => {
    const model = open(name);
    const size = model.size;
    const stride = Math.max(1, Math.floor(size / 1500));
    const queueOf = new Map();
    let before = {};
    for (let n = 1; n <= size; n += stride) {
      const state = model.at(n);
      if (stride === 1) checkOrder(model, state.event, before);
      before = state.queues;
      const { event, queues, stack } = state;

      // Nothing is in two queues, and nothing that runs, is over or has been cancelled is in any.
      queueOf.clear();
      for (const [queue, ids] of Object.entries(queues)) {
        for (const id of ids) {
          assert.ok(!queueOf.has(id), `event ${n}: ${id} is in ${queue} and ${queueOf.get(id)}`);
          queueOf.set(id, queue);
          if (id < 0) {
            assert.ok(model.entry(id), `event ${n}: ${id} in ${queue}`);
            continue;
          }
          const callback = model.callback(id);
          assert.ok(!callback.begin || callback.begin > n, `event ${n}: ${callback.name} has begun and is in ${queue}`);
          assert.ok(
            !callback.cancelled || callback.cancelled > n,
            `event ${n}: ${callback.name} is cancelled and in ${queue}`,
          );
        }
      }
      // Every callback that was asked for and has neither begun nor been cancelled is in its queue; a request of the pool's from the event
      // after `schedule` on.
      for (const callback of n % 7 === 0 || size < 400 ? model.callbacks.byId.values() : []) {
        if (!callback.scheduled || callback.scheduled > n) continue;
        if (callback.scheduled === n && ['fs', 'dns', 'crypto', 'zlib'].includes(callback.api)) continue;
        const isOver = (callback.begin && callback.begin <= n) || (callback.cancelled && callback.cancelled <= n);
        assert.equal(queueOf.has(callback.id), !isOver, `event ${n}: ${callback.name}`);
      }
      // The stack is of callbacks that have begun and not ended, the outermost first.
      let depth = 0;
      for (const id of stack) {
        const callback = model.callback(id);
        assert.ok(
          callback.begin <= n && (!callback.end || callback.end > n),
          `event ${n}: ${callback.name} is on the stack`,
        );
        assert.equal(callback.depth, depth++, `event ${n}: depth of ${callback.name}`);
      }
      // Ticks and microtasks: what a drain says is waiting is what is shown as waiting.
      if (event.ev === 'drain_begin') {
        assert.equal(queues.ticks.length, event.ticks, `event ${n}: ticks`);
        assert.equal(queues.microtasks.length, event.microtasks, `event ${n}: microtasks`);
      }
      // A thread does one thing at a time.
      const threads = state.pool.running.map((request) => request.thread);
      assert.equal(new Set(threads).size, threads.length, `event ${n}: threads ${threads}`);
      for (const thread of threads) assert.ok(thread < model.run.header.threadpool, `event ${n}: thread ${thread}`);

      const told = eventWords(model, event, words);
      assert.ok(
        told.length > 0 && !/\{\d|undefined|NaN/.test(told.replace(event.text ?? '', '')),
        `event ${n} in words: ${told}`,
      );
      assert.ok(eventWords(model, event, chinese).length > 0, `event ${n} in Chinese`);
    }

    // In the end nothing waits but what never ran.
    const last = model.at(size);
    assert.deepEqual(
      last.stack.filter((id) => model.callback(id).end !== 0),
      [],
    );
    for (const ids of Object.values(last.queues))
      for (const id of ids) assert.ok(id < 0 || model.callback(id).begin === 0);

    // The console is the program's output.
    const output = model.run.events
      .filter((event) => event.ev === 'log' || event.ev === 'error_log')
      .map((event) => event.seq);
    assert.deepEqual([...model.states.consoleLines], output);
    assert.equal(last.lines, output.length);

    // Forward, back and straight to it: always the same state.
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

    // Steps by callback go through all of them, both ways.
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

    // Every callback that began has an explanation, and what it names is there.
    const explanations = model.run.explanations();
    for (const callback of model.callbacks.inOrder) {
      const explanation = explanations.get(callback.id);
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
    // Steps with a line have their place in the document and in the script.
    const lines = new Set(model.run.parts.map((part) => part.line));
    const scriptLines = model.run.script.split('\n').length;
    for (const event of model.run.events)
      if (event.line && event.ev === 'log') assert.ok(lines.has(event.line), `line ${event.line} has a step`);
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
  const names = (ids) => ids.map((id) => model.callback(id).name);
  const owners = (ids) => ids.map((id) => model.entry(id).name);
  const at = (ev, name) => model.run.events.find((event) => event.ev === ev && event.name === name).seq;
  const begins = model.at(at('callback_begin', 'timer1'));
  assert.deepEqual(names(begins.queues.timers), ['timer2']);
  assert.deepEqual(names(begins.queues.immediates), ['immediate1']);
  assert.deepEqual(owners(begins.queues.pending), ['socket']);
  assert.deepEqual(begins.pool.done.map((request) => model.callback(request.id).name).sort(), ['file1', 'file2']);
  assert.deepEqual(
    begins.pool.running.map((request) => model.callback(request.id).name),
    ['file3'],
  );
  const file1 = model.at(at('callback_begin', 'file1'));
  assert.deepEqual(names(file1.queues.ready), ['file2']);
  const after = model.at(at('callback_begin', 'immediate2'));
  assert.deepEqual(owners(after.queues.closing), ['socket']);
  assert.deepEqual(names(after.queues.timers), ['timer3']);
});

test('chains of then are queued one after the other', () => {
  const model = open('lessons-then-chains-interleave.html');
  const line = (text) => model.run.events.find((event) => event.text === text).seq;
  const names = (ids) => ids.map((id) => model.callback(id).name);
  assert.deepEqual(names(model.at(line('a1')).queues.microtasks), ['b1']);
  assert.deepEqual(names(model.at(line('b1')).queues.microtasks), ['a2']);
  assert.deepEqual(names(model.at(line('a2')).queues.microtasks), ['b2']);
});

test('what the trace tells is shown, not what would be likely', () => {
  // Two reactions of one promise whose jobs are told in the other order, a job of the engine's own between them; a thread that takes up
  // the later request.
  const line = (seq, rest) => JSON.stringify({ seq, t: seq, loop: 0, turn: 0, phase: 'main', ...rest });
  const told = [
    { ev: 'callback_begin', api: 'main', id: 1, name: 'main' },
    { ev: 'schedule', api: 'then', id: 2, name: 'a', by: 1, as: 'first' },
    { ev: 'schedule', api: 'then', id: 3, name: 'b', by: 1, as: 'first' },
    { ev: 'schedule', api: 'fs', id: 4, name: 'first', by: 1, as: 'first', op: 'read' },
    { ev: 'schedule', api: 'fs', id: 5, name: 'second', by: 1, as: 'first', op: 'stat' },
    { ev: 'enqueue', queue: 'microtasks', api: 'then', id: 3, name: 'b', by: 1 },
    { ev: 'enqueue', queue: 'microtasks', entry: 1, op: 'NewPromiseResolveThenableJob', by: 1 },
    { ev: 'enqueue', queue: 'microtasks', api: 'then', id: 2, name: 'a', by: 1 },
    { ev: 'enqueue', queue: 'pool', api: 'fs', id: 4, name: 'first', op: 'read', by: 1 },
    { ev: 'enqueue', queue: 'pool', api: 'fs', id: 5, name: 'second', op: 'stat', by: 1 },
    { ev: 'work_begin', api: 'fs', id: 5, name: 'second', thread: 3, op: 'stat' },
    { ev: 'callback_end', api: 'main', id: 1, name: 'main', how: 'normal' },
    { ev: 'cancel', api: 'then', id: 2, name: 'a', why: 'settled' },
    { ev: 'work_end', api: 'fs', id: 5, name: 'second', thread: 3, op: 'stat' },
  ];
  const trace = [JSON.stringify({ seed: 1, threadpool: 4 }), ...told.map((rest, i) => line(i + 1, rest))].join('\n');
  const run = JSON.stringify({ file: '', document: '', script: '', parts: [], events: {}, summary: {} });
  const model = new Model(readRun(`${trace}\n`, run, () => '{"rules":[],"callbacks":[]}'));
  assert.deepEqual(model.at(3).queues.promises, [2, 3]);
  assert.deepEqual(model.at(8).queues.microtasks, [3, -1, 2]);
  assert.deepEqual(model.at(8).queues.promises, []);
  assert.deepEqual(model.entry(-1), { id: -1, name: '', op: 'NewPromiseResolveThenableJob' });
  const requests = (list) => list.map((request) => [request.id, request.thread]);
  assert.deepEqual(requests(model.at(12).pool.running), [[5, 3]]);
  assert.deepEqual(requests(model.at(12).pool.waiting), [[4, -1]]);
  assert.deepEqual(model.at(14).queues.microtasks, [3, -1]);
  assert.deepEqual(requests(model.at(14).pool.done), [[5, 3]]);
  assert.deepEqual(
    [7, 11, 13, 14].map((n) => eventWords(model, model.event(n), words)),
    [
      'NewPromiseResolveThenableJob now waits among the microtasks',
      'Pool thread 3 begins with stat of second',
      'a will never run: the promise was settled the other way',
      'Pool thread 3 is done with stat of second',
    ],
  );
});

test('six requests on four threads: two wait', () => {
  const model = open('lessons-thread-pool-six-on-four.html');
  const end = model.run.events.find((event) => event.ev === 'callback_end').seq;
  assert.equal(model.at(end).pool.running.length, 4);
  assert.equal(model.at(end).pool.waiting.length, 2);
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
  // Names: of the phases as Node's documentation has them, of Node's functions, of units.
  const foreign = [
    ...['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing', 'beforeExit'].map(
      (name) => `phase.${name}`,
    ),
    ...['panel.script', 'by.none', 'queue.unref'],
  ];
  assert.deepEqual(same.sort(), foreign.sort());
});

test('deep links are read as they are written', () => {
  assert.deepEqual(readLink('#event=123&lang=zh&theme=dark'), { event: 123, language: 'zh', theme: 'dark' });
  assert.deepEqual(readLink(writeLink({ event: 7, language: 'en', theme: 'light' })), {
    event: 7,
    language: 'en',
    theme: 'light',
  });
  assert.deepEqual(readLink('#event=-1&lang=xx&theme=<b>'), { event: null, language: null, theme: null });
  assert.deepEqual(readLink(''), { event: null, language: null, theme: null });
});
