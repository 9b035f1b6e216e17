// The model and the words of a page in a browser, by a trace that was written by hand (window.jsonl).
//
//   node --test window.test.mjs      with LOOPSIM_MODEL, the bundled model
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { Replay, keyOf } from './replay.mjs';

const { Model, readRun, eventWords, kindOf, kindOfEvent, makeLanes, questionsOf, Translator, kWords } = await import(
  pathToFileURL(process.env.LOOPSIM_MODEL)
);
const kRun = {
  file: 'window.js',
  document: '',
  script: '',
  isScript: true,
  wholeLists: true,
  races: [],
  folds: [],
  gaps: [],
  parts: [],
  events: {},
  summary: { reason: 'loop_empty', limit: 'none', exit: 0 },
};
const trace = readFileSync(new URL('window.jsonl', import.meta.url), 'utf8');
const model = new Model(readRun(trace, JSON.stringify(kRun), () => '{"rules":[],"callbacks":[]}'));
const words = new Translator('en');
const chinese = new Translator('zh');
const find = (is) => model.run.events.find(is);
const begin = (wanted) => find(({ ev, name }) => ev === 'callback_begin' && name === wanted).seq;
const told = (event, tr = words) => eventWords(model, event, tr);
const names = (n, ...queues) => queues.map((queue) => model.at(n).queues[queue].map(({ name }) => name).join(' '));

test('its header says that it is a window', () => {
  assert.equal(model.isBrowser, true);
  assert.equal(model.isLibuvAlone, false);
});

test('the queues are those of the trace at every event, however one comes to it', () => {
  const replay = new Replay(model.run);
  for (let n = 1; n <= model.size; ++n) {
    replay.goTo(n);
    for (const [queue, waiting] of Object.entries(model.at(n).queues))
      assert.deepEqual(waiting.map(keyOf), replay.in(queue), `event ${n}: ${queue}`);
  }
  for (const event of model.run.events)
    if (event.ev === 'drain_begin') assert.equal(model.at(event.seq).queues.microtasks.length, event.microtasks);
  assert.deepEqual(Object.values(model.at(model.size).queues).flat(), []);
});

test('what waits where', () => {
  const script = find(({ ev }) => ev === 'drain_begin').seq;
  assert.deepEqual(names(script, 'microtasks', 'tasks', 'delayedTasks', 'timers', 'frames', 'idles'), [
    'reaction',
    'timer postMessage background',
    'soon',
    'late',
    'draw',
    'idle',
  ]);
  assert.deepEqual(names(begin('timer'), 'tasks', 'timers'), ['postMessage background', 'late']);
  assert.deepEqual(names(begin('idle'), 'tasks', 'delayedTasks', 'frames', 'idles'), ['', 'soon', 'draw', '']);
  // When its time has come it is ready.
  assert.deepEqual(names(begin('late') - 1, 'tasks', 'timers'), ['late', '']);
  assert.equal(model.at(begin('late') - 1).queues.tasks[0].op, 'timer');
  assert.deepEqual(names(find(({ what }) => what === 'cpu').seq, 'frames', 'microtasks'), ['again', 'changes']);
});

test('a listener runs within the task that calls it', () => {
  assert.deepEqual(model.at(begin('message')).stack, [5, 11]);
  assert.deepEqual(model.at(begin('click')).stack, [14]);
});

test('a sleep leads to the callback that comes next', () => {
  const waits = model.run.events.filter(({ ev }) => ev === 'wait');
  assert.deepEqual(
    waits.map(({ seq }) => [model.focus(seq).relation, model.callback(model.focus(seq).id).name]),
    [
      ['next', 'soon'],
      ['next', 'draw'],
      ['next', 'late'],
      ['next', 'click'],
    ],
  );
  assert.deepEqual(model.focus(find(({ ev }) => ev === 'frame').seq), { id: 3, relation: 'next' });
});

test('every event has its words, which speak of a browser', () => {
  for (const event of model.run.events) {
    for (const tr of [words, chinese]) assert.doesNotMatch(told(event, tr), /^$|\{\d|undefined|NaN/, `event ${event.seq}`);
    assert.doesNotMatch(told(event), /\b(?:Node|libuv|V8|poll|ticks?|pool|process|Turn 0)\b/i, `event ${event.seq}`);
    assert.doesNotMatch(told(event, chinese), /Node|libuv|V8|轮询|tick|线程池|进程/, `event ${event.seq}`);
  }
  const all = (ev) => model.run.events.filter((event) => event.ev === ev).map((event) => told(event));
  assert.deepEqual(all('wait'), [
    'The thread slept 5.000 ms, until a task was ready (postTask)',
    'The thread slept 11.666667 ms, until the next frame',
    'The thread slept 3.333333 ms, until a task was ready (timer)',
    'The thread slept 10.000 ms, until a task was ready (user’s input)',
  ]);
  assert.deepEqual(all('frame'), [
    'The rendering is updated: the frame of 16.666667 ms',
    'The rendering is updated: the frame of 33.333334 ms, 36.666666 ms late; 2 more frames are dropped',
  ]);
  assert.deepEqual(all('input'), ['The user’s input of 30.000 ms: click #button']);
  assert.deepEqual(all('drain_begin'), Array(2).fill('A microtask checkpoint: 1 microtask'));
  assert.equal(told(find(({ ev, name }) => ev === 'schedule' && name === 'soon')), 'main script asks for soon in 5.000 ms, ready at 5.000');
  assert.equal(told(model.event(model.size)), 'The run ends: nothing is left to wait for');
});

test('all words of queues, phases and sources are there', () => {
  for (const queue of ['tasks', 'delayedTasks', 'frames', 'idles'])
    for (const kind of ['queue', 'into', 'predict.in']) assert.ok(kWords.zh[`${kind}.${queue}`], `${kind}.${queue}`);
  for (const phase of ['task', 'rendering', 'idlePeriod'])
    for (const kind of ['phase', 'event.phase_enter', 'event.phase_exit']) assert.ok(kWords.zh[`${kind}.${phase}`], `${kind}.${phase}`);
  for (const source of ['timer', 'user', 'message', 'network', 'dom', 'postTask', 'idle', 'history'])
    assert.ok(kWords.zh[`source.${source}`]);
});

test('colours: those of what corresponds in Node', () => {
  const ofPhase = (phase) => kindOfEvent({ ev: 'turn', phase });
  assert.deepEqual(['task', 'rendering', 'idlePeriod'].map(ofPhase), ['poll', 'check', 'idle']);
  const apis = ['setTimeout', 'postTask', 'postMessage', 'requestAnimationFrame', 'requestIdleCallback', 'MutationObserver'];
  assert.deepEqual(apis.map((api) => kindOf(api)), ['timers', 'poll', 'pending', 'check', 'idle', 'microtasks']);
  assert.equal(kindOf('addEventListener', 'rendering'), 'check');
});

test('the timeline: sleeps between the phases, and the frames when the display was ready for them', () => {
  const lanes = makeLanes(model);
  const lane = (name) => lanes.find((one) => one.name(words) === name).rows[0].bars;
  const inMs = (bars) => bars.map(({ from, to, kind }) => `${Math.round(from / 1e6)}-${Math.round(to / 1e6)} ${kind}`);
  assert.deepEqual(inMs(lane('loop')), [
    '0-0 main',
    ...Array(3).fill('0-0 poll'),
    '0-0 idle',
    '0-5 wait',
    '5-5 poll',
    '5-17 wait',
    '17-17 check',
    '17-20 wait',
    '20-20 poll',
    '20-30 wait',
    '30-70 poll',
    '70-70 check',
  ]);
  assert.deepEqual(inMs(lane('display')), ['17-17 check', '33-33 error']);
  for (const { rows } of lanes)
    for (const { bars } of rows) for (let i = 1; i < bars.length; ++i) assert.ok(bars[i].from >= bars[i - 1].from);
});

test('predict first: the choices stand in the queues of a browser', () => {
  const questions = questionsOf(model);
  const asked = questions.map(({ ended, answer, choices }) => [
    model.callback(ended).name,
    model.callback(answer).name,
    choices.map(({ name, queue }) => `${queue}: ${name}`),
  ]);
  assert.deepEqual(asked[0], [
    'main',
    'reaction',
    ['tasks: timer', 'frames: draw', 'idles: idle', 'microtasks: reaction', 'timers: late'],
  ]);
  assert.deepEqual(asked[1], ['reaction', 'timer', ['tasks: timer', 'frames: draw', 'idles: idle', 'delayedTasks: soon', 'timers: late']]);
  assert.deepEqual(asked.map(([, next]) => next), ['reaction', 'timer', 'postMessage', 'background', 'idle', 'soon', 'draw', 'changes']);
});
