// The page of a long run, of which most is packed (sim/page/packing.cpp), against the JSON lines and reasons of the same run.
//
//   node --test packed.test.mjs      with LOOPSIM_MODEL, the bundled model, and LOOPSIM_PAGES/packed: the page, and both as JSON
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { elementIn } from './replay.mjs';

const { Model, readRun, longRun } = await import(pathToFileURL(process.env.LOOPSIM_MODEL));
const textOf = (name) => readFileSync(join(process.env.LOOPSIM_PAGES, 'packed', name), 'utf8');
const html = textOf('packed.html');
const elementOf = (id) => elementIn(html, id);
const run = readRun(elementOf('trace'), elementOf('run'), () => elementOf('explanations'), longRun(elementOf));
const lines = textOf('packed.jsonl').trimEnd().split('\n').slice(1);

test('a tenth of the lines is packed at least, and takes a fifth of the space', () => {
  const [whole, packed] = [elementOf('trace'), elementOf('more-trace')];
  assert.ok(whole.split('\n').length < lines.length * 0.9);
  assert.ok(packed.length * 5 < textOf('packed.jsonl').length - whole.length, `${packed.length} bytes`);
  assert.ok(packed.length > 0 && elementOf('sentences').length > 0 && elementOf('reasons').length > 0);
});

test('every line is that of the trace', () => {
  assert.equal(run.lines.length, lines.length);
  lines.forEach((line, i) => assert.equal(JSON.stringify(run.lines.at(i)), line));
  assert.equal(run.lines.at(lines.length), undefined);
});

test('an event is found by its number, whichever came before', () => {
  const events = lines.map((line) => JSON.parse(line)).filter(({ ev }) => !/^(scope|assign|condition|promise)$/.test(ev));
  const model = new Model(run);
  assert.equal(model.size, events.length);
  for (let i = 0; i < events.length; i += 7) {
    const n = 1 + ((i * 7919) % events.length);
    assert.deepEqual(model.event(n), events[n - 1]);
  }
  assert.throws(() => model.event(events.length + 1));
});

test('every reason is that of the run', () => {
  const { rules, callbacks } = JSON.parse(textOf('packed.reasons.json'));
  for (const { id, name, begin, sentences } of callbacks) {
    const told = sentences.map(([rule, event, ...args]) => [rules[rule].key, event, args]);
    const found = run.explanation(id);
    assert.deepEqual([found.name, found.begin], [name, begin]);
    assert.deepEqual(found.sentences.map(({ rule, event, args }) => [rule.key, event, args]), told, `callback ${id}`);
  }
  assert.equal(run.explanation(callbacks.length + 1000), undefined);
});
