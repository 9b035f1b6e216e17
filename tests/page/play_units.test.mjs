// The parts of the playground in Node: links, settings, problems, the engine's host and its client.
//
//   node --test play_units.test.mjs      tests/page/page.py units sets the environment
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';

const { LOOPSIM_PLAY: bundle, LOOPSIM_FIXTURE: fixture, LOOPSIM_UNCAUGHT: uncaughtPage } = process.env;
globalThis.window = globalThis; // the timers of a page
const play = await import(pathToFileURL(bundle));
const { Engine, EngineHost, isTooDeep, kDefaults, kMostLink, kMostSource, NotRun, readShared, writeShared } = play;

const kShared = {
  source: "console.log('中文 𝒳 </script>');\n",
  settings: {
    kind: 'mjs',
    version: 'node-22',
    machine: 'laptop',
    load: '0.5',
    threads: '8',
    seed: '18446744073709551615',
  },
  place: { event: 27, stop: 2 },
  language: 'zh',
  theme: 'dark',
  isEmbedded: false,
};
const linkTo = (data, version = 1) =>
  `#${version}.${deflateRawSync(typeof data === 'string' ? data : JSON.stringify(data)).toString('base64url')}`;

test('a link brings back what it was made of', () => {
  for (const shared of [
    kShared,
    { ...kShared, isEmbedded: true },
    { ...kShared, lesson: 12, view: ['compare', 'node-10', ''] },
    { ...kShared, view: ['sweep', 'threads', 'a "name".lateness_mean'] },
    { source: '', settings: kDefaults, place: null, language: null, theme: null, isEmbedded: false },
    { ...kShared, source: 'x'.repeat(kMostSource / 2), place: { event: 1, stop: 0 } },
  ]) {
    const link = writeShared(shared);
    assert.match(link, /^#(embed\.)?1\.[A-Za-z0-9_-]+$/);
    assert.deepEqual(readShared(link), shared);
  }
});

test('what a link says of the view and the lesson must have its form', () => {
  for (const wrong of [
    { v: 'compare' },
    { v: [] },
    { v: ['Compare'] },
    { v: ['a', 'b', 'c', 'd', 'e'] },
    { v: ['sweep', 'x'.repeat(201)] },
    { v: ['sweep', null] },
    { v: { 0: 'sweep', length: 1 } },
    { o: 0 },
    { o: 100 },
    { o: 1.5 },
    { o: '1' },
  ])
    assert.equal(readShared(linkTo({ s: '', ...wrong })), 'broken', JSON.stringify(wrong));
});

test('the rows of a sweep, point by point', () => {
  const row = (load, late) => JSON.stringify({ trace_hash: '0', '/machine/load': load, 't.lateness_mean': late, lateness_mean: 0 });
  const rows = play.readRows([row(0.5, 4), row(0, 1), row(0.5, 2), row(0.9, null)].join('\n') + '\n');
  assert.deepEqual(play.metricsOf(rows), ['t.lateness_mean', 'lateness_mean', 'lateness_max', 'finish_time']);
  assert.deepEqual(play.pointsOf(rows, '/machine/load', 't.lateness_mean'), [
    { x: 0, mean: 1, lowest: 1, highest: 1 },
    { x: 0.5, mean: 3, lowest: 2, highest: 4 },
  ]);
  assert.deepEqual(play.readRows('loopsim: error'), []);
  assert.deepEqual(play.readRows('[1]\nnull\n{"a": 1}\n'), []);
});

test('the schema of scenarios says what may stand where', () => {
  const schema = JSON.parse(execFileSync(process.env.LOOPSIM_PROGRAM, ['schema'], { encoding: 'utf8' }));
  const reader = new play.SchemaReader(schema);
  const labels = (path, present = []) => reader.keys(path, present).map(({ label }) => JSON.parse(label));
  assert.deepEqual(labels([]).sort(), Object.keys(schema.properties).sort());
  assert.ok(!labels([], ['main']).includes('main'));
  const verbs = labels(['main', 0]);
  for (const verb of ['log', 'setTimeout', 'fs', 'nextTick']) assert.ok(verbs.includes(verb), verb);
  assert.ok(!verbs.includes('as'), 'what a step must have comes first');
  assert.deepEqual(labels(['main', 3], ['setTimeout', 'do']).sort(), ['as', 'with']);
  assert.deepEqual(labels(['main', 0, 'do', 2, 'do', 1]), verbs, 'at any depth');
  const machines = reader.values(['machine']).map(({ label }) => JSON.parse(label));
  for (const name of ['ideal', 'laptop', 'busy']) assert.ok(machines.includes(name), name);
  assert.ok(reader.values(['runtime']).some(({ label }) => label === '"node-24"'));
  assert.deepEqual(labels(['nothing', 'of', 'this']), []);
});

test('a link of version 1 opens for ever', () => {
  // Written by the first form of links. This text is never to be changed.
  const link = '#1.BcFBDkAwEEDRu_xNSYYFEsk4ClaUoDpJayfu7r2XjLJYzBZ8HWwv3Hak_LhymCLChXKfGSGhRFt91XQIEaVH8OjYzt8P';
  const settings = { ...kDefaults, kind: 'mjs', version: 'node-24', seed: '7' };
  const shared = {
    source: "console.log('first');\n",
    settings,
    place: { event: 3, stop: 0 },
    language: null,
    theme: null,
    isEmbedded: false,
  };
  assert.deepEqual(readShared(link), shared);
});

test('links that are no links of a playground are refused, each for its reason', () => {
  const good = writeShared(kShared);
  assert.equal(readShared(''), 'none');
  assert.equal(readShared('#'), 'none');
  assert.equal(readShared('#2.AAAA'), 'version');
  assert.equal(readShared('#embed.999.AAAA'), 'version');
  assert.equal(readShared(`#1.${'A'.repeat(kMostLink)}`), 'large');
  for (let size = 1; size < good.length; ++size)
    assert.ok(['broken', 'none'].includes(readShared(good.slice(0, size))), `cut at ${size}`);
  for (const broken of [
    '#event=27',
    '#1.',
    '#1',
    '#1.****',
    '#1.<script>',
    '#1.AAAA',
    '#-1.AAAA',
    '#1.QUJD',
    `${good}=`,
    `${good}<b>`,
  ])
    assert.equal(readShared(broken), 'broken', broken);
  // A small link that would become large.
  for (const size of [kMostSource + 100, 100_000_000]) {
    const bomb = linkTo(`{"s":"${'a'.repeat(size)}"}`);
    assert.ok(bomb.length < kMostLink);
    const began = performance.now();
    assert.equal(readShared(bomb), 'large');
    assert.ok(performance.now() - began < 1000, 'and is given up early');
  }
  for (const data of [
    'null',
    '[]',
    '"text"',
    '12',
    '{}',
    '{"s":1}',
    '{"s":["a"]}',
    '{"s":"a","k":"exe"}',
    '{"s":"a","k":null}',
    '{"s":"a","r":"node-24 --machine x"}',
    '{"s":"a","r":"--help"}',
    '{"s":"a","m":"{\\"cores\\":1}"}',
    '{"s":"a","m":"<img src=x onerror=alert(1)>"}',
    '{"s":"a","l":"2"}',
    '{"s":"a","l":0.5}',
    '{"s":"a","t":"0"}',
    '{"s":"a","t":"-1"}',
    '{"s":"a","n":"1e9"}',
    '{"s":"a","n":"</script>"}',
    '{"s":"a","e":1}',
    '{"s":"a","e":[]}',
    '{"s":"a","e":[1,2,3]}',
    '{"s":"a","e":[-1]}',
    '{"s":"a","e":[1.5]}',
    '{"s":"a","e":["1"]}',
    '{"s":"a","e":[1e99]}',
    '{"s":"a","g":"de"}',
    '{"s":"a","h":"red"}',
    '{"s":"a"',
    '{"s":"a"}}',
  ])
    assert.equal(readShared(linkTo(data)), 'broken', data);
});

test('names that every object has are no settings', () => {
  const data = readShared(linkTo('{"s":"a","__proto__":{"isEmbedded":true},"constructor":1,"toString":"x"}'));
  assert.deepEqual(data, {
    source: 'a',
    settings: kDefaults,
    place: null,
    language: null,
    theme: null,
    isEmbedded: false,
  });
  assert.equal({}.isEmbedded, undefined);
});

test('no bytes at random make more than a refusal', () => {
  let state = 12345;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648);
  const good = writeShared(kShared);
  let read = 0;
  for (let i = 0; i < 3000; ++i) {
    const at = 3 + (random() % (good.length - 3));
    const changed = good.slice(0, at) + 'ABCDEFGHabcdefgh0123_-'[random() % 22] + good.slice(at + 1);
    const shared = readShared(changed);
    if (typeof shared === 'string') continue;
    ++read; // a changed letter of the program, say: still each of its values has its form
    for (const [name, value] of Object.entries(shared.settings)) assert.ok(play.isSetting(name, value));
  }
  assert.ok(read < 3000);
});

test('the words of a command are those that were chosen, and only whole values are', () => {
  assert.deepEqual(play.optionsOf(kDefaults), []);
  assert.deepEqual(play.optionsOf(kShared.settings), [
    '--runtime',
    'node-22',
    '--machine',
    'laptop',
    '--load',
    '0.5',
    '--threads',
    '8',
    '--seed',
    '18446744073709551615',
  ]);
  for (const [name, value] of [
    ['load', '1.5'],
    ['load', '.'],
    ['threads', '00'],
    ['seed', '-1'],
    ['version', 'node-'],
    ['machine', 'a b'],
    ['kind', ''],
  ])
    assert.ok(!play.isSetting(name, value), `${name} ${value}`);
  for (const value of ['0', '1', '0.25', '.5']) assert.ok(play.isSetting('load', value));
  for (const value of ['node-24', 'libuv-1.52', 'chrome', 'chrome-72', 'firefox', 'io']) assert.ok(play.isSetting('version', value), value);
  for (const value of ['node', 'libuv', 'chrome-', 'ios', 'io-1', 'firefox -r io', 'chromenode-24'])
    assert.ok(!play.isSetting('version', value), value);
  const families = ['', 'node-24', 'libuv-1.52', 'chrome-73', 'firefox', 'io'].map((one) => play.familyOf(one));
  assert.deepEqual(families, ['node', 'node', 'libuv', 'page', 'page', 'io']);
});

test('problems have their places', () => {
  const stderr = [
    'scenario.json:3:2: error: /main/1/foo: there is no verb "foo"',
    '  {"foo":1}',
    '   ^',
    'scenario.json:1:12: warning: /params/x: nothing uses the param "x"',
    '<command line>: error: --runtime: there is no runtime "node-99"; did you mean "node-26"?',
    'loopsim: there is no machine "foo" (loopsim list machines shows them)',
    'Try "loopsim run --help".',
    '',
  ].join('\n');
  assert.deepEqual(play.problemsOf(stderr, 'scenario.json'), [
    { message: '/main/1/foo: there is no verb "foo"', isWarning: false, line: 3, column: 2 },
    { message: '/params/x: nothing uses the param "x"', isWarning: true, line: 1, column: 12 },
    {
      message: '--runtime: there is no runtime "node-99"; did you mean "node-26"?',
      isWarning: false,
      line: 0,
      column: 0,
    },
    { message: 'there is no machine "foo" (loopsim list machines shows them)', isWarning: false, line: 0, column: 0 },
  ]);
});

test(
  'what a run leaves uncaught has the place that Node names',
  { skip: !uncaughtPage && 'this program runs no JavaScript' },
  () => {
    const run = play.runOf(readFileSync(uncaughtPage, 'utf8'));
    assert.deepEqual(play.uncaughtIn(run), [
      { message: 'ReferenceError: missing is not defined', isWarning: false, line: 2, column: 18 },
    ]);
  },
);

test('both languages have the same words with the same places', () => {
  // Which there are: a plural names its number twice.
  const places = (text) => [...new Set(Array.from(text.matchAll(/\{(\d)/g), ([, number]) => number))].sort().join();
  const { en, zh } = play.kPlayWords;
  assert.deepEqual(Object.keys(en).sort(), Object.keys(zh).sort());
  for (const word of Object.keys(en)) {
    assert.equal(places(en[word]), places(zh[word]), word);
    assert.ok(zh[word].trim(), word);
  }
});

test('every field of a profile has its meaning in Chinese, with the code of the English one', () => {
  const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const source = read('sim/node/profile_fields.cpp');
  const entries = [...source.matchAll(/^ {4}(?:field|libuv)<&\w+::(\w+)>\(\s*"(\w+)"/gm)];
  assert.equal(entries.length, source.match(/(?:field|libuv)<&/g).length, 'every entry of the table has been read');
  for (const [, member, name] of entries) assert.equal(member, name);
  const names = entries.map(([, , name]) => name);
  // What identifies a profile is in the page, but is no reason.
  const rows = read('docs/profiles.md').matchAll(/^\| `(\w+)` \| (.*?) \| /gm);
  const english = new Map(Array.from(rows, ([, name, meaning]) => [name, meaning]));
  assert.deepEqual([...english.keys()].sort(), [...names, 'libuv', 'version'].sort());
  assert.deepEqual(Object.keys(play.kFieldMeanings).sort(), names.sort());

  const codesIn = (text) => [...new Set(text.match(/`[^`]+`/g))].sort();
  for (const [name, meaning] of Object.entries(play.kFieldMeanings)) {
    assert.match(meaning, /\p{Script=Han}/u, name);
    assert.deepEqual(codesIn(meaning), codesIn(english.get(name)), name);
  }
});

// ---- the scenario that a program and its settings stand for
const program = process.env.LOOPSIM_PROGRAM;
function runOf(name, text, options = []) {
  const folder = mkdtempSync(join(tmpdir(), 'loopsim-scenario-'));
  try {
    writeFileSync(join(folder, name), text);
    const { stdout, stderr } = spawnSync(program, ['run', name, '-f', 'none', ...options], { cwd: folder, encoding: 'utf8' });
    const [said] = /^.* trace [0-9a-f]{16}$/m.exec(stdout + stderr) ?? [];
    assert.ok(said, stdout + stderr);
    return said;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const kTimers =
  '{ "machine": "server", "runtime": { "threadpool": 3 }, "main": [{ "setTimeout": 5, "as": "t", "do": [{ "cpu": "3ms" }] }] }';
for (const [kind, source, chosen] of [
  ['js', "setTimeout(() => { throw new Error('x'); }, 5);\n", {}],
  ['js', "console.log(process.version);\nsetTimeout(() => {}, 5);\n", { version: 'node-12' }],
  ['mjs', 'await null;\nsetTimeout(() => 0, 5);\n', { machine: 'laptop', load: '0.3', threads: '2', seed: `${2n ** 64n - 1n}` }],
  ['js', 'setTimeout(() => {}, 5);\n', { load: '0.5', seed: '7' }],
  ['json', kTimers, { version: 'node-10' }],
  ['json', kTimers, { machine: 'laptop' }],
  ['json', kTimers, { load: '0.4', seed: '9' }],
  ['json', kTimers, { version: 'node-20', threads: '1', machine: 'busy' }],
]) {
  test(`a scenario has what is chosen beside its program: ${kind} ${JSON.stringify(chosen)}`, () => {
    const settings = { ...kDefaults, ...chosen, kind };
    const text = play.scenarioText(source, settings);
    const name = kind === 'json' ? 'scenario.json' : `program.${kind}`;
    // The trace of a scenario has the places in its text.
    const told = (said) => (kind === 'json' ? said.replace(/ trace .*/, '') : said);
    assert.equal(told(runOf('scenario.json', text)), told(runOf(name, source, play.optionsOf(settings))));
  });
}
test('a scenario without anything chosen beside it stays as it is, and one that cannot be read is none', () => {
  assert.equal(play.scenarioText('{ "main" : [] }', { ...kDefaults, kind: 'json' }), '{ "main" : [] }');
  assert.equal(play.scenarioText('{ "main"', { ...kDefaults, kind: 'json', seed: '1' }), null);
});

// ---- the host, with a module that has the engine's interface
const hostTest = (name, body) =>
  test(name, { skip: !fixture && 'there is no compiler for WebAssembly with WASI' }, () =>
    body(new EngineHost(new WebAssembly.Module(readFileSync(fixture)))),
  );

hostTest('one instance serves many jobs', (host) => {
  assert.deepEqual(host.run({ words: ['echo', 'a b', '', '中文'], files: {} }), {
    status: 3,
    stdout: 'a b\n\n中文\n',
    stderr: 'call 1, end 1\n',
    files: {},
  });
  assert.deepEqual(host.run({ words: ['echo'], files: {} }), {
    status: 0,
    stdout: '',
    stderr: 'call 2, end 1\n',
    files: {},
  });
  assert.equal(host.run({ words: [], files: {} }).status, 2);
  assert.equal(host.run({ words: ['echo', 'x'.repeat(1_000_000)], files: {} }).stdout.length, 1_000_001);
});

hostTest('files are read and written, and are gone with their job', (host) => {
  const text = '中文 line\n'.repeat(50_000);
  for (const [from, to] of [
    ['a.js', 'b.js'],
    ['/a.js', '/b.js'],
  ]) {
    const outcome = host.run({ words: ['copy', from, to, '100'], files: { 'a.js': text } });
    assert.equal(outcome.status, 0, outcome.stderr);
    assert.deepEqual(Object.keys(outcome.files), ['b.js']);
    assert.ok(outcome.files['b.js'] === text);
  }
  const again = host.run({ words: ['copy', 'b.js', 'c.js', '100'], files: {} });
  assert.equal(again.status, 4);
  assert.deepEqual(again.files, { 'c.js.partial': '' });
  // A file over itself: what was written counts, not what was given.
  assert.equal(
    host.run({ words: ['copy', 'a', 'b', '4096'], files: { a: 'new', b: 'a longer old one' } }).files.b,
    'new',
  );
});

hostTest('a file that is written in small pieces costs no more than its size', (host) => {
  const text = 'x'.repeat(8_000_000);
  const began = performance.now();
  const { files } = host.run({ words: ['copy', 'a', 'b', '256'], files: { a: text } });
  assert.equal(files.b.length, text.length);
  // 31,250 pieces: copying the file for each would be 125 GB.
  assert.ok(performance.now() - began < 8000);
});

hostTest('after an exit or a trap comes a new instance', (host) => {
  assert.equal(host.run({ words: ['exit', '7'], files: {} }).status, 7);
  assert.equal(host.run({ words: ['echo'], files: {} }).stderr, 'call 1, end 1\n');
  assert.throws(() => host.run({ words: ['trap'], files: {} }), WebAssembly.RuntimeError);
  assert.equal(host.run({ words: ['echo'], files: {} }).stderr, 'call 1, end 1\n');
});

hostTest("after the end of the host's own stack comes a new instance", (host) => {
  assert.throws(() => host.run({ words: ['run', 'a.js'], files: { 'a.js': '//deep\n' } }), isTooDeep);
  assert.equal(host.run({ words: ['echo'], files: {} }).stderr, 'call 1, end 1\n');
  assert.ok(isTooDeep(Object.assign(new Error('too much recursion'), { name: 'InternalError' }))); // Firefox
  assert.ok(!isTooDeep(new WebAssembly.RuntimeError('unreachable')) && !isTooDeep(new RangeError('Invalid array length')));
});

// ---- the client, with workers of its own
class FakeWorker {
  static all = [];
  heard = [];
  ended = false;
  constructor() {
    FakeWorker.all.push(this);
  }
  postMessage(message) {
    this.heard.push(message);
  }
  terminate() {
    this.ended = true;
  }
  answer(status) {
    const { id } = this.heard.at(-1);
    this.onmessage({ data: { kind: 'done', id, outcome: { status, stdout: '', stderr: '', files: {} } } });
  }
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
const whyOf = (promise) =>
  promise.then(
    () => assert.fail('it had an outcome'),
    (error) => {
      assert.ok(error instanceof NotRun);
      return error.why;
    },
  );
const makeEngine = () => {
  FakeWorker.all = [];
  return new Engine(
    () => Promise.resolve('module'),
    () => new FakeWorker(),
  );
};

test('jobs run one after the other, in one worker', async () => {
  const engine = makeEngine();
  const [one, two] = [engine.run(['a'], {}, 1000), engine.run(['b'], {}, 1000)];
  await soon();
  const [worker] = FakeWorker.all;
  assert.deepEqual(
    worker.heard.map(({ kind, job }) => job?.words[0] ?? kind),
    ['module', 'a'],
  );
  worker.answer(0);
  assert.equal((await one).status, 0);
  await soon();
  worker.answer(3);
  assert.equal((await two).status, 3);
  assert.equal(FakeWorker.all.length, 1);
});

test('stop ends the worker, and what waits; the next job gets a new worker', async () => {
  const engine = makeEngine();
  const [one, two] = [engine.run(['a'], {}, 1000), engine.run(['b'], {}, 1000)];
  await soon();
  engine.stop();
  assert.deepEqual(await Promise.all([whyOf(one), whyOf(two)]), ['stopped', 'stopped']);
  assert.ok(FakeWorker.all[0].ended);
  const three = engine.run(['c'], {}, 1000);
  await soon();
  assert.equal(FakeWorker.all.length, 2);
  FakeWorker.all[1].answer(0);
  await three;
  engine.stop(); // nothing runs: nothing ends
  assert.ok(!FakeWorker.all[1].ended);
});

test('stopped before the module has come, a job leaves no worker behind', async () => {
  const engine = makeEngine();
  const one = engine.run(['a'], {}, 1000);
  engine.stop();
  const two = engine.run(['b'], {}, 1000);
  assert.equal(await whyOf(one), 'stopped');
  await soon();
  FakeWorker.all.at(-1).answer(0);
  await two;
  assert.equal(FakeWorker.all.filter(({ ended }) => !ended).length, 1);
});

test('a job that takes too long is ended, and the next one runs', async () => {
  const engine = makeEngine();
  const [one, two] = [engine.run(['a'], {}, 20), engine.run(['b'], {}, 1000)];
  assert.equal(await whyOf(one), 'too long');
  await soon();
  assert.equal(FakeWorker.all.length, 2);
  FakeWorker.all[1].answer(0);
  await two;
});

test('an engine that fails says so, and so does one that is not there', async () => {
  const engine = makeEngine();
  const one = engine.run(['a'], {}, 1000);
  await soon();
  const [worker] = FakeWorker.all;
  worker.onmessage({ data: { kind: 'failed', id: worker.heard.at(-1).id, message: 'unreachable' } });
  assert.equal(await whyOf(one), 'failed');
  const deep = engine.run(['b'], {}, 1000);
  await soon();
  worker.onmessage({ data: { kind: 'failed', id: worker.heard.at(-1).id, message: 'too much recursion', isTooDeep: true } });
  assert.equal(await whyOf(deep), 'too deep');
  const none = new Engine(
    () => Promise.reject(new Error('not there')),
    () => new FakeWorker(),
  );
  assert.equal(await whyOf(none.run(['a'], {}, 1000)), 'failed');
});
