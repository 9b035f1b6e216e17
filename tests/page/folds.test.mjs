// Long runs: a page that leaves out repetitions, against the page of the same run that leaves out nothing.
//
//   node --test folds.test.mjs      with LOOPSIM_MODEL, the bundled model, and LOOPSIM_PAGES/long, pairs of pages
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { arrayOf, elementIn, keyOf } from './replay.mjs';

const { Model, readRun, longRun, eventWords, foldWords, Translator } = await import(pathToFileURL(process.env.LOOPSIM_MODEL));
const folder = join(process.env.LOOPSIM_PAGES, 'long');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.all.html'))
  .map((name) => name.replace('.all.html', ''));
const translators = [new Translator('en'), new Translator('zh')];
const kMostWaiting = 200; // sim/page/gap.hpp

function open(name) {
  const html = readFileSync(join(folder, name), 'utf8');
  const textOf = (id) => elementIn(html, id);
  return { html, model: new Model(readRun(textOf('trace'), textOf('run'), () => textOf('explanations'), longRun(textOf))) };
}

test('there are long runs', () => assert.ok(names.length >= 8));

for (const name of names) {
  test(name, () => {
    const { html, model } = open(`${name}.html`);
    const { model: whole } = open(`${name}.all.html`);
    const { events, gaps } = model.run;
    assert.ok(html.length < 2e6, `${html.length} bytes`);
    assert.ok(gaps.length > 0);
    assert.equal(whole.run.gaps.length, 0);
    assert.deepEqual(
      whole.run.folds.map(({ count }) => count),
      model.run.folds.map(({ count }) => count),
    );

    // What the page has and what its gaps count is all of the run; places and numbers lead to each other.
    const left = gaps.reduce((sum, { gap }) => sum + gap.events, 0);
    assert.equal(events.length - gaps.length + left, whole.size);
    assert.equal(model.lastNumber, whole.size);
    let before = 0;
    for (const event of events) {
      assert.equal(model.event(event.seq), event);
      if (event.ev === 'gap') continue;
      assert.ok(event.number > before, `event ${event.number} after ${before}`);
      before = event.number;
      assert.equal(model.placeOf(event.number), event.seq);
      const { number, ...rest } = event;
      assert.deepEqual({ ...rest, seq: number }, whole.event(number));
    }

    // Outside of gaps, forwards and back, the state is that of the whole run.
    const inGap = (number) => gaps.some(({ gap }) => gap.first <= number && number <= gap.last);
    const lost = gaps.reduce((sum, { gap }) => sum + gap.lost, 0);
    const places = events.filter((event) => event.ev !== 'gap' && !inGap(event.number)).map((event) => event.seq);
    for (const n of [...places, ...places.toReversed()]) {
      const [state, expected] = [model.at(n), whole.at(model.numberOf(n))];
      assert.deepEqual(state.stack, expected.stack, `stack at ${n}`);
      assert.equal(state.draining, expected.draining);
      for (const [queue, waiting] of Object.entries(expected.queues)) {
        const keys = state.queues[queue].map(keyOf);
        const all = waiting.map(keyOf);
        if (!lost) assert.deepEqual(keys, all, `${queue} at ${n}`);
        else assert.ok(keys.every((key) => all.includes(key)) && keys.length >= Math.min(all.length, kMostWaiting / 2));
      }
    }

    // So are the values of what the page knows from before: of variables around the code that runs, and global ones.
    const values = (one, n) =>
      one.program
        .variables(n, one.stopsAfter(n))
        .flatMap(({ kind, variables }) => variables.map(({ name, step }) => `${kind} ${name}=${step.value}`));
    for (const n of places) assert.deepEqual(values(model, n), values(whole, model.numberOf(n)), `variables at ${n}`);
    for (const line of arrayOf(model.run.lines)) assert.ok(line.seq >= 1 && line.seq <= model.size);

    // Links lead to what they were made of; a step of the program behind what is left out is not there.
    for (const n of places) assert.deepEqual(model.placeOfLink(model.numberOf(n), 1), [n, 1]);
    for (const { seq, gap } of gaps) {
      assert.deepEqual(model.placeOfLink(gap.last, 1)[1], model.numberOf(model.placeOf(gap.last)) === gap.last ? 1 : 0);
      assert.equal(model.program.stopsBetween(seq, seq + 1), 0);
    }

    // A gap is a step, from both sides, and says what is missing.
    for (const { seq, gap } of gaps) {
      assert.equal(model.steps.after(model.steps.before(seq)), seq);
      assert.equal(model.steps.before(model.steps.after(seq)), seq);
      const hidden = [];
      for (let number = gap.first; number <= gap.last; ++number)
        if (model.placeOf(number) === seq) hidden.push(whole.event(number));
      assert.equal(hidden.length, gap.events);
      assert.equal(hidden.filter(({ ev }) => ev === 'callback_begin').length, gap.callbacks);
      assert.equal(hidden.filter(({ ev }) => ev === 'log').length, gap.lines);
      for (const tr of translators) {
        const words = eventWords(model, model.event(seq), tr);
        assert.match(words, /--format jsonl/);
        assert.doesNotMatch(words, /\{\d|undefined|NaN/);
      }
    }

    // Reasons are there for what the page shows, and lead to places that it has.
    for (const explanation of model.run.explanations().values()) {
      assert.ok(model.callback(explanation.id), `callback ${explanation.id}`);
      for (const { event } of explanation.sentences) assert.ok(event >= 0 && event <= model.size);
    }

    // The folded list has every step once when all are open, and one row for each fold that is closed.
    const { folds, steps } = model;
    const list = () => Array.from({ length: folds.rowCount }, (_, row) => folds.rowAt(row));
    const within = (n) => folds.all.some((fold) => fold.first <= n && n <= fold.last);
    const closed = list();
    assert.deepEqual(closed.filter((row) => row.fold).map((row) => row.fold), folds.all);
    assert.deepEqual(
      closed.filter((row) => row.step).map((row) => row.step),
      [...steps.events].filter((n) => !within(n)),
    );
    for (const [index, n] of steps.events.entries()) {
      const row = folds.rowAt(folds.rowOf(index));
      assert.ok(row.step === n || (row.fold && row.fold.first <= n && n <= row.fold.last), `row of step ${n}`);
    }
    for (const fold of folds.all) {
      for (const tr of translators) {
        const words = foldWords(model, fold, tr);
        assert.doesNotMatch(words, /\{\d|undefined|NaN/);
        assert.match(words, /^⋯ .*\d/);
      }
    }
    // The scale is monotone and leads back, whatever is open.
    const scale = () => {
      let last = 0;
      for (let n = 1; n <= model.size; ++n) {
        const x = folds.compress(n);
        assert.ok(x > last, `place ${n}`);
        last = x;
        assert.ok(Math.abs(folds.expand(x) - n) < 1e-6, `place ${n} and back`);
      }
      return last;
    };
    const narrow = scale();
    folds.toggleAll();
    assert.deepEqual(list().filter((row) => row.step).map((row) => row.step), [...steps.events]);
    assert.ok(scale() > narrow);
    folds.toggle(folds.all[0]);
    scale();
    assert.ok(folds.closedAt(folds.all[0].first) === folds.all[0]);
  });
}
