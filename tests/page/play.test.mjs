// The playground in headless Chromium and Firefox. In the place of the worker with the engine stands the program itself, which the test
// calls; the worker has a test of its own, with a module that has the engine's interface.
//
//   node --test play.test.mjs      tests/page/page.py play sets the environment
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { control, insert, isFirefox, kDesk, open, position, require, screenshot, until } from './harness.mjs';
import { answer } from './native_engine.mjs';

const {
  LOOPSIM_PAGES: folder,
  LOOPSIM_HAS_STAND_IN: hasStandIn,
  LOOPSIM_HAS_ENGINE: hasEngine,
} = process.env;
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const kPhone = { width: 390, height: 844 };

// Firefox has the tests of what a browser may do in its own way: typing and keys, the editor's marks and completion, links and how they
// are packed, the clipboard and files, layout and access, markup, the worker and the engine. Of what the page does by itself, which
// are the tests by testOnce(), it sees none, and of a list in the others a third. LOOPSIM_THOROUGH=1 shows it everything.
const isShort = isFirefox && !process.env.LOOPSIM_THOROUGH;
const testOnce = (title, run) => test(title, { skip: isShort && 'no browser does it in its own way: Chromium has it' }, run);
const everyThird = (all) => (isShort ? all.filter((_, i) => i % 3 === 0) : all);

// Takes the place of Worker in the page. window.engine tells the test what it did, and lets it delay what comes.
function takeWorkersPlace() {
  window.engine = { jobs: [], sources: [], looks: 0, ended: 0, delay: 0 };
  window.Worker = class {
    isEnded = false;
    isUnpacker = false;
    postMessage(message) {
      this.isUnpacker = message.kind === 'unpack';
      if (this.isUnpacker) this.onmessage({ data: { kind: 'unpacked', module: null } });
      if (message.kind !== 'run') return;
      const { words, files } = message.job;
      // What is looked at beside a run, when nothing is typed, may come at any time.
      if (words.includes('html=picture.html') && !words.includes('--no-races')) {
        ++window.engine.looks;
      } else {
        window.engine.jobs.push(words);
        window.engine.sources.push(Object.values(files)[0]);
      }
      const { delay } = window.engine;
      window
        .answerJob(message.job)
        .then((outcome) => new Promise((resolve) => setTimeout(() => resolve(outcome), delay)))
        .then((outcome) => this.isEnded || this.onmessage({ data: { kind: 'done', id: message.id, outcome } }));
    }
    terminate() {
      this.isEnded = true;
      if (!this.isUnpacker) ++window.engine.ended;
    }
  };
}

// WebDriver tells nothing of downloads there: what is given to be saved is kept.
function takeClipboardAndDownloads() {
  Object.defineProperty(navigator, 'clipboard', { value: undefined });
  const made = new Map();
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    const url = make.call(URL, blob);
    made.set(url, blob);
    return url;
  };
  window.savedFiles = [];
  HTMLAnchorElement.prototype.click = function click() {
    window.savedFiles.push({ name: this.download, blob: made.get(this.href) });
  };
}

const openPlay = ({ file = 'play', ...options }, visit) =>
  open(
    file,
    {
      ...options,
      prepare: async (page) => {
        await page.exposeFunction('answerJob', answer);
        await page.addInitScript(takeWorkersPlace);
        // Reading it there asks a person, and nobody is there; without it what is copied is offered as text.
        if (isFirefox) await page.addInitScript(takeClipboardAndDownloads);
      },
    },
    visit,
  );
const idle = (page) =>
  until(
    page,
    () =>
      !document.querySelector('#play[data-running]') &&
      /^status\.(?!loading|running)/.test(document.querySelector('.play-status').dataset.state),
  );
const status = (page) => page.locator('.play-status').getAttribute('data-state');
const jobs = (page) => page.evaluate(() => window.engine.jobs.length);

// Replaces the program, as if it were pasted.
async function write(page, text) {
  const before = await jobs(page);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await insert(page, text);
  // A run of the text before may come first, such as that of another language which was chosen just now.
  await until(page, ([count, source]) => window.engine.sources.slice(count).includes(source), [before, text]);
  await idle(page);
}
const textOf = (page) =>
  page
    .locator('.cm-content')
    .evaluate((one) => [...one.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'));
async function outputAtEnd(page) {
  await control(page, 'last').click();
  return page.locator('.panel.console .console-text').allTextContents();
}

test('what is typed runs, and the picture follows', () =>
  openPlay({}, async (page) => {
    await idle(page);
    assert.deepEqual(await outputAtEnd(page), ['main', 'tick', 'promise', 'immediate', 'file', 'timeout']);
    await write(page, "console.log('one');\nsetTimeout(() => console.log('two'), 5);\n");
    assert.deepEqual(await outputAtEnd(page), ['one', 'two']);
    // In pieces, while the picture is at its end: it stays there, and each piece is run.
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+End');
    for (const piece of ["console.log('th", "ree'"]) {
      const before = await jobs(page);
      await page.keyboard.type(piece, { delay: 20 }); // the editor closes the quote and the bracket
      await until(page, (count) => window.engine.jobs.length > count, before);
      await idle(page);
    }
    await until(
      page,
      () =>
        [...document.querySelectorAll('.panel.console .console-text')].map((one) => one.textContent).join() ===
        'one,three,two',
    );
    // The keys of the viewer do nothing to the editor, and those of the editor nothing to the viewer.
    const at = await position(page);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Space');
    assert.equal(await position(page), at);
    assert.equal(await control(page, 'play').getAttribute('aria-label'), 'Play');
  }));

test('the line of the moment is marked in the editor, until the program changes', () =>
  openPlay({}, async (page) => {
    await idle(page);
    await write(page, "const a = 1;\nconsole.log('here', a);\n");
    await control(page, 'first').click();
    while (
      !(await page.locator('.play-step').count()) ||
      !/here/.test(await page.locator('.play-step').textContent())
    ) {
      const before = await page.locator('.position').textContent();
      await control(page, 'forward').click();
      assert.notEqual(await page.locator('.position').textContent(), before, 'the line comes before the end');
    }
    assert.ok(!(await page.locator('.panel.source').isVisible()), 'the program is not shown twice');
    await page.evaluate(() => (window.engine.delay = 1000));
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('\n');
    assert.equal(await page.locator('.play-step').count(), 0);
  }));

test('what is wrong is marked at its place and told; the last picture stays', () =>
  openPlay({}, async (page) => {
    await idle(page);
    const events = await page.locator('.scrub').getAttribute('max');
    await page.locator('[data-setting=kind]').selectOption('json');
    await write(page, '{\n  "main": [{ "setTimeout": 1, "do": [{ "lgo": "x" }] }]\n}\n');
    assert.equal(await status(page), 'status.refused');
    assert.equal(await page.locator('.cm-lintRange-error').count(), 1);
    assert.match(
      await page.locator('.play-problems').textContent(),
      /line 2: .*there is no verb "lgo"; did you mean "log"\?/,
    );
    assert.equal(await page.locator('.scrub').getAttribute('max'), events, 'the last picture');
    await page.locator('.play-problems button').click();
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains('cm-content')));
    await page.keyboard.press('Delete');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Delete');
    await insert(page, '"log"');
    await until(page, () => document.querySelector('.play-status').dataset.state === 'status.done');
    assert.equal(await page.locator('.cm-lintRange-error').count(), 0);
    assert.ok(!(await page.locator('.play-problems').isVisible()));
    assert.deepEqual(await outputAtEnd(page), ['x']);
    // Of JavaScript: what cannot be read, and what nothing catches. Both are runs, as in Node.
    await page.locator('[data-setting=kind]').selectOption('js');
    await write(page, 'const a = 1;\nsetTimeout(() => { foo( }, 1);\n');
    assert.match(await page.locator('.play-problems').textContent(), /line 2: SyntaxError: /);
    assert.equal(await page.locator('.cm-lintRange-error').count(), 1);
    await write(page, 'setTimeout(function later() {\n  missing();\n}, 1);\n');
    assert.match(await page.locator('.play-problems').textContent(), /line 2: ReferenceError: missing is not defined/);
    assert.equal(await page.locator('.cm-lintRange-error').textContent(), 'missing');
    // Below the editor in both languages.
    await control(page, 'language').first().click();
    assert.match(await page.locator('.play-problems').textContent(), /^第 2 行：ReferenceError/);
  }));

test('version, machine, load, threads and seed are controls', () =>
  openPlay({}, async (page) => {
    await idle(page);
    const meta = () => page.locator('.meta').textContent();
    await until(page, () => document.querySelectorAll('[data-setting=version] option').length > 10);
    await until(page, () => document.querySelectorAll('[data-setting=machine] option').length > 4);
    const choose = async (act) => {
      const before = await jobs(page);
      await act();
      await until(page, (count) => window.engine.jobs.length > count, before);
      await idle(page);
    };
    await choose(() => page.locator('[data-setting=version]').selectOption('node-10'));
    assert.match(await meta(), /^node-10 · libuv 1\.34\.2/);
    await choose(() => page.locator('[data-setting=machine]').selectOption('laptop'));
    assert.match(await meta(), /machine laptop/);
    await choose(() => page.locator('[data-setting=threads]').fill('7'));
    assert.match(await meta(), /7 pool threads/);
    await choose(() => page.locator('[data-setting=seed]').fill('12'));
    assert.match(await meta(), /seed 12 /);
    await choose(() => page.locator('[data-setting=load]').fill('0.5'));
    const words = await page.evaluate(() => window.engine.jobs.at(-1).join(' '));
    assert.match(words, /^run program\.js .*--runtime node-10 --machine laptop --load 0\.5 --threads 7 --seed 12/);
    // What cannot be is marked, and not run.
    const before = await jobs(page);
    await page.locator('[data-setting=load]').fill('7');
    assert.equal(await page.locator('[data-setting=load]').getAttribute('aria-invalid'), 'true');
    await page.waitForTimeout(700);
    assert.equal(await jobs(page), before);
  }));

testOnce('a run can be stopped, and one that is out of date ends by itself', () =>
  openPlay({}, async (page) => {
    await idle(page);
    assert.ok(await control(page, 'stop').isDisabled());
    await page.evaluate(() => (window.engine.delay = 60000));
    await control(page, 'run').click();
    await until(page, () => document.querySelector('.play-status').dataset.state === 'status.running');
    await control(page, 'stop').click();
    await until(page, () => document.querySelector('.play-status').dataset.state === 'status.stopped');
    const ended = await page.evaluate(() => window.engine.ended);
    assert.ok(ended === 1 || ended === 2, `${ended}: the run, and what was looked at beside it`);
    await until(page, () => document.querySelector('[data-control=stop]').disabled);
    assert.ok(await page.locator('.viewer').isVisible(), 'the last picture');
    await control(page, 'run').click();
    await until(page, () => document.querySelector('#play[data-running]'));
    await page.evaluate(() => (window.engine.delay = 0));
    await write(page, "console.log('new');");
    assert.equal(await page.evaluate(() => window.engine.ended), ended + 1);
    assert.deepEqual(await outputAtEnd(page), ['new']);
  }));

testOnce('races are told when nothing has been typed for a while, where the picture is', () =>
  openPlay({}, async (page) => {
    await idle(page);
    for (let i = 0; i < 3; ++i) await control(page, 'forward').click();
    const at = await page.locator('.position').textContent();
    await until(page, () => window.engine.looks === 1);
    await page.waitForTimeout(1000);
    assert.equal(await page.locator('.position').textContent(), at);
    const isTold = () => page.evaluate(() => /a race with/.test(document.querySelector('.viewer').textContent));
    for (let i = 0; i < 60 && !(await isTold()); ++i) await control(page, 'forward').click();
    assert.ok(await isTold());
  }));

testOnce('the place in the run is kept when it runs again', () =>
  openPlay({}, async (page) => {
    await idle(page);
    for (let i = 0; i < 7; ++i) await control(page, 'forward').click();
    await page.locator('.lower-choice button').last().click();
    const [at, shown] = [await position(page), await page.locator('.position').textContent()];
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+End');
    await insert(page, '// a comment');
    await until(page, () => /a comment/.test(document.querySelector('.cm-content').textContent));
    await page.waitForTimeout(300);
    await idle(page);
    assert.equal(await position(page), at);
    assert.equal(await page.locator('.position').textContent(), shown);
    assert.ok(await page.locator('.panel.events').isVisible(), 'what was chosen to be seen');
  }));

test('a link opens what was shared: program, settings, place, language, theme', async () => {
  let hash = '';
  await openPlay({}, async (page) => {
    await idle(page);
    const entries = await page.evaluate(() => history.length);
    await write(page, "console.log('共享 & <b>');\nsetImmediate(() => 0);\n");
    await page.locator('[data-setting=version]').selectOption('node-12');
    await page.locator('[data-setting=seed]').fill('5');
    await control(page, 'language').first().click();
    await control(page, 'theme').click();
    await page.waitForTimeout(200);
    await idle(page);
    await control(page, 'forward').click();
    await control(page, 'forward').click();
    await until(page, () => /^#1\./.test(location.hash));
    await page.waitForTimeout(900);
    assert.equal(await page.evaluate(() => history.length), entries, 'no entries of the history');
    hash = await page.evaluate(() => location.hash);
    const at = await page.locator('.position').textContent();
    await openPlay({ hash }, async (other) => {
      await idle(other);
      assert.equal(await textOf(other), "console.log('共享 & <b>');\nsetImmediate(() => 0);\n");
      assert.match(await other.locator('.meta').textContent(), /^node-12 .*种子 5 /);
      assert.equal(await other.locator('.position').textContent(), at);
      assert.equal(await other.locator('html').getAttribute('lang'), 'zh-CN');
      assert.equal(await other.locator('html').getAttribute('data-theme'), 'dark');
    });
  });
  // Into a playground that is open, too.
  await openPlay({}, async (page) => {
    await idle(page);
    await page.evaluate((next) => (location.hash = next), hash);
    await until(page, () => /共享/.test(document.querySelector('.cm-content').textContent));
    await until(page, () => /^node-12/.test(document.querySelector('.meta').textContent));
    assert.match(await textOf(page), /^console\.log\('共享 & <b>'\);\nsetImm/);
  });
});

const kMarkup = '</script><script>window.injected = 1</script><img src=x onerror="window.injected = 2"><!--<script>';
test('a hostile link does nothing but a message', async () => {
  for (const [hash, state] of everyThird([
    ['#1.AAAA', 'link.broken'],
    ['#2.AAAA', 'link.version'],
    ['#1.<img src=x onerror=window.injected=1>', 'link.broken'],
    [`#1.${'A'.repeat(300_000)}`, 'link.large'],
    ['#event=27', 'link.broken'],
    [linkTo({ s: 'setTimeout(() => 0, 1);'.repeat(20) }).slice(0, -9), 'link.broken'], // cut off
    [linkTo({ s: kMarkup, m: kMarkup }), 'link.broken'],
    [linkTo({ s: kMarkup, v: [kMarkup] }), 'link.broken'],
    [linkTo({ s: kMarkup, o: kMarkup }), 'link.broken'],
    [linkTo({ s: kMarkup, v: ['compare', { x: 1 }] }), 'link.broken'],
    [linkTo({ s: 'x'.repeat(2_000_000) }), 'link.large'],
    [`#tour=${kMarkup}`, 'link.broken'],
  ]))
    await openPlay({ hash }, async (page) => {
      await page.waitForTimeout(200);
      assert.equal(await status(page), state);
      assert.deepEqual(
        await page.evaluate(() => [
          window.injected,
          document.images.length,
          window.engine.jobs.filter(([word]) => word === 'run').length,
        ]),
        [undefined, 0, 0],
      );
      // It is a playground all the same.
      await control(page, 'run').click();
      await until(page, () => document.querySelector('.viewer'));
    });
});

test('markup in what a link says of the views stays text', async () => {
  for (const view of everyThird([
    ['compare', kMarkup, kMarkup],
    ['sweep', kMarkup, kMarkup],
    ['nothing', kMarkup],
  ]))
    await openPlay({ hash: linkTo({ s: `console.log(${JSON.stringify(kMarkup)});`, v: view }) }, async (page) => {
      await idle(page);
      await until(page, () => !document.querySelector('[aria-busy=true]'));
      assert.deepEqual(await page.evaluate(() => [window.injected, document.images.length]), [undefined, 0]);
    });
});

test('markup in every text of a program stays text', () =>
  openPlay({}, async (page) => {
    await idle(page);
    await write(
      page,
      `console.log(${JSON.stringify(kMarkup)});\nsetTimeout(function later() { throw new Error(${JSON.stringify(kMarkup)}); }, 1);\n`,
    );
    assert.ok((await outputAtEnd(page)).includes(kMarkup));
    await page.locator('[data-setting=kind]').selectOption('json');
    await write(
      page,
      JSON.stringify(
        { title: kMarkup, params: { p: kMarkup }, main: [{ setTimeout: 1, as: kMarkup, do: [{ log: kMarkup }] }] },
        null,
        2,
      ),
    );
    await write(page, JSON.stringify({ title: kMarkup, main: [{ [kMarkup]: kMarkup }] }, null, 2));
    assert.match(await page.locator('.play-problems').textContent(), /<img src=x/);
    assert.deepEqual(
      await page.evaluate(() => [
        window.injected,
        document.images.length,
        document.querySelectorAll('.play-problems script').length,
      ]),
      [undefined, 0, 0],
    );
  }));

test('sharing: links and code to copy, files to save', () =>
  openPlay({ permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true }, async (page) => {
    await idle(page);
    await page.locator('[data-setting=kind]').selectOption('json');
    await write(page, '{ "title": "Shared", "main": [{ "setTimeout": 1, "as": "a", "do": [{ "log": "x" }] }] }');
    await control(page, 'share').click();
    const button = (name) => page.locator(`[data-share=${name}]`);
    const copied = async (name) => {
      await button(name).click();
      await until(page, () => /Copied|copy/.test(document.querySelector('.play-said').textContent));
      const area = page.locator('.play-copy');
      return (await area.isVisible()) ? area.inputValue() : page.evaluate(() => navigator.clipboard.readText());
    };
    const link = await copied('link');
    assert.match(link, /^file:.*play\.html#1\./);
    const code = await copied('embed');
    const [, source] = /^<iframe src="([^"]+)" title="loopsim" /.exec(code) ?? [];
    assert.match(source, /play\.html#embed\.1\./);
    const saved = async (name) => {
      if (isFirefox) {
        await button(name).click();
        await until(page, () => window.savedFiles.length);
        return page.evaluate(async () => {
          const { name: file, blob } = window.savedFiles.pop();
          return [file, await blob.text()];
        });
      }
      const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
      return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
    };
    assert.deepEqual(await saved('program'), [
      'scenario.json',
      '{ "title": "Shared", "main": [{ "setTimeout": 1, "as": "a", "do": [{ "log": "x" }] }] }',
    ]);
    assert.deepEqual(await saved('scenario'), await saved('program'), 'nothing is chosen beside it');
    const [scriptName, script] = await saved('script');
    assert.equal(scriptName, 'scenario.cjs');
    assert.match(script, /setTimeout\(/);
    const [svgName, svg] = await saved('svg');
    assert.equal(svgName, 'loopsim.svg');
    assert.match(svg, /<svg [\s\S]*<\/svg>\s*$/);
    const [pageName, html] = await saved('page');
    assert.equal(pageName, 'loopsim.html');
    writeFileSync(join(folder, 'saved.html'), html);
    await page.keyboard.press('Escape');
    assert.ok(!(await page.locator('dialog.play-share').isVisible()));
    // The page that was saved is a page; the embedded one is the run alone, with a way back.
    await open('saved', {}, async (other) => assert.equal(await other.locator('h1').textContent(), 'Shared'));
    await openPlay({ hash: new URL(source).hash }, async (other) => {
      await idle(other);
      assert.ok(!(await other.locator('.cm-editor').isVisible()));
      assert.ok(!(await control(other, 'run').isVisible()));
      assert.ok(await other.locator('.viewer .panel.source').isVisible());
      assert.match(await other.locator('.play-open').getAttribute('href'), /play\.html#1\./);
    });
  }));

testOnce('two versions side by side: the first difference, and why', () =>
  openPlay({}, async (page) => {
    await idle(page);
    await write(
      page,
      "setTimeout(() => {\n  console.log('a');\n  Promise.resolve().then(() => console.log('micro'));\n}, 1);\n" +
        "setTimeout(() => console.log('b'), 1);\n",
    );
    await until(page, () => document.querySelectorAll('[data-compare=version] option').length > 10);
    await page.locator('[data-view=compare]').click();
    assert.match(await page.locator('.play-compare').textContent(), /Choose another version/);
    await page.locator('[data-compare=version]').selectOption('node-10');
    await until(page, () => document.querySelector('.compare-rows tr.is-first'));
    const column = (n) => page.locator(`.compare-rows tbody td:nth-child(${n})`).allTextContents();
    const lines = (cells) => cells.filter((one) => one.includes('│')).map((one) => one.replace(/.*│ /, ''));
    assert.deepEqual(lines(await column(1)), ['a', 'micro', 'b']);
    assert.deepEqual(lines(await column(3)), ['a', 'b', 'micro']);
    assert.deepEqual(await page.locator('.compare-rows th').allTextContents(), ['node-24', 'difference', 'node-10']);
    assert.match(await page.locator('.sentences').last().textContent(), /timers|timer/);
    assert.equal(await page.locator('.compare-rows tr.is-first').count(), 1);
    await screenshot(page, 'play-compare');
    // Both runs on one axis of time; a step moves both.
    assert.equal(await page.locator('.compare-times .strip svg').count(), 2);
    const widths = await page.locator('.strip svg').evaluateAll((all) => all.map((one) => one.getAttribute('width')));
    assert.equal(widths[0], widths[1]);
    const moment = async () => [
      await page.locator('.compare-steps .position').textContent(),
      ...(await page.locator('.strip-place').evaluateAll((all) => all.map((one) => one.getAttribute('x1')))),
      ...(await page.locator('.compare-state').allTextContents()),
    ];
    const first = await moment();
    assert.match(first[0], /^row \d+ of \d+$/);
    assert.notEqual(first[3], first[4], 'where the runs differ they do not do the same');
    assert.equal(await page.locator('.compare-rows tr.is-first').getAttribute('aria-current'), 'step');
    await page.locator('[data-compare-step=back]').click();
    await page.locator('[data-compare-step=back]').click();
    const earlier = await moment();
    assert.notDeepEqual(earlier, first);
    assert.ok(Number(earlier[1]) <= Number(first[1]) && Number(earlier[2]) <= Number(first[2]));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await moment(), first, 'by the keys, too');
    await page.locator('.compare-rows tbody tr').first().click();
    assert.match((await moment())[0], /^row 1 of/);
    await page.locator('[data-compare-step=first]').click();
    assert.deepEqual(await moment(), first);
    // In the other language, all of it.
    const told = () => page.locator('.play-compare :is(.compare-verdict, .compare-why h3, .compare-why p, .position)').allTextContents();
    const english = await told();
    await control(page, 'language').first().click();
    for (const one of await told()) assert.match(one, /\p{Script=Han}/u);
    await control(page, 'language').first().click();
    assert.deepEqual(await told(), english);
    // The link opens the comparison.
    await page.waitForTimeout(600);
    const hash = await page.evaluate(() => location.hash);
    await openPlay({ hash }, async (other) => {
      await until(other, () => document.querySelector('.compare-rows tr.is-first'));
      assert.equal(await other.locator('[data-compare=version]').inputValue(), 'node-10');
      assert.equal(await other.locator('[data-view=compare]').getAttribute('aria-pressed'), 'true');
    });
    // A program without a difference, compared as soon as it has run.
    await write(page, "console.log('same');\n");
    await until(page, () => /Both do the same/.test(document.querySelector('.play-compare').textContent));
    assert.equal(await page.locator('.compare-rows tr.is-first').count(), 0);
    // Another machine: the same order at other times.
    await page.locator('[data-compare=version]').selectOption('');
    await page.locator('[data-compare=machine]').selectOption('laptop');
    await until(page, () => document.querySelector('.compare-rows th')?.textContent.includes('ideal'));
    await page.locator('[data-view=run]').click();
    assert.ok(await page.locator('.viewer').isVisible());
  }));

testOnce('the orders that occur, with their shares', () =>
  openPlay({}, async (page) => {
    await idle(page);
    await write(page, "setTimeout(() => console.log('timeout'), 1);\nsetImmediate(() => console.log('immediate'));\n");
    await page.locator('[data-view=orders]').click();
    await until(page, () => document.querySelectorAll('.orders > li').length === 2);
    const lines = await page
      .locator('.orders > li')
      .evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll('.order-lines li')].map((line) => line.textContent).join()),
      );
    assert.deepEqual(lines.sort(), ['immediate,timeout', 'timeout,immediate']);
    const widths = await page
      .locator('.order-bar')
      .evaluateAll((all) => all.map((one) => one.firstElementChild.offsetWidth / one.offsetWidth));
    const shares = (await page.locator('.order-share b').allTextContents()).map((one) => parseFloat(one) / 100);
    widths.forEach((width, i) => assert.ok(Math.abs(width - shares[i]) < 0.02, `${width} for ${shares[i]}`));
    await write(page, "console.log('one');\nprocess.nextTick(() => console.log('two'));\n");
    await until(page, () => document.querySelectorAll('.orders > li').length === 1);
    // What cannot be run says why.
    await page.locator('[data-setting=kind]').selectOption('json');
    await write(page, '{ "main": [{ "lgo": 1 }] }');
    assert.match(await page.locator('.play-problems').textContent(), /no verb "lgo"/);
  }));

const k105 = readFileSync(new URL('../../scenarios/docs/timer-105ms.json', import.meta.url), 'utf8');
const linkTo = (data) => `#1.${deflateRawSync(JSON.stringify(data)).toString('base64url')}`;

testOnce('a sweep as a plot: how late against the load', () =>
  openPlay({ hash: linkTo({ s: k105, k: 'json', v: ['sweep', 'load', ''] }), bypassCSP: true }, async (page) => {
    await until(page, () => document.querySelectorAll('.sweep-point').length === 10);
    const rows = async () =>
      (await page.locator('.sweep-table tbody tr').allTextContents()).map((one) => one.replace(/\s+/g, ' '));
    const figures = await page
      .locator('.sweep-table tbody tr')
      .evaluateAll((all) => all.map((one) => [...one.children].map((cell) => Number(cell.textContent))));
    assert.deepEqual(
      figures.map(([load]) => load),
      [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
    );
    // Without load the timer is 5 ms late; with it, not less, and on a busy machine more.
    assert.deepEqual(figures[0], [0, 5, 5, 5]);
    assert.ok(figures[9][1] > 6 && figures[9][3] > figures[9][1], await rows());
    assert.equal(await page.locator('[data-sweep=metric]').inputValue(), 'timer.lateness_mean');
    // The same as the program says.
    const outcome = await answer({
      words: ['sweep', 'scenario.json', '--load', '0:0.9:0.1', '-n', '8', '-f', 'jsonl', '-q', '--no-warnings'],
      files: { 'scenario.json': k105 },
    });
    const late = outcome.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((row) => row['/machine/load'] === 0.9)
      .map((row) => row['timer.lateness_mean']);
    const mean = late.reduce((sum, one) => sum + one, 0) / late.length;
    assert.ok(Math.abs(mean - figures[9][1]) < 0.06, `${mean} and ${figures[9][1]}`);
    // Where it is drawn: the higher the later.
    const tops = await page.locator('.sweep-point').evaluateAll((all) => all.map((one) => parseFloat(one.style.top)));
    assert.ok(tops[9] < tops[0]);
    assert.match(await page.locator('.sweep-point').first().getAttribute('aria-label'), /^load 0: 5.00 ms/);
    await checkAccess(page, 'sweep');
    await screenshot(page, 'play-sweep');
    // A point sets the load.
    await page.locator('.sweep-point[data-x="0.5"]').click();
    await until(page, () => window.engine.jobs.some((words) => words[0] === 'run' && words.join(' ').includes('--load 0.5')));
    assert.equal(await page.locator('[data-setting=load]').inputValue(), '0.5');
    await until(page, () => document.querySelector('.sweep-point[data-x="0.5"]').getAttribute('aria-pressed') === 'true');
    await page.locator('[data-sweep=against]').selectOption('threads');
    await until(page, () => document.querySelectorAll('.sweep-point').length === 8);
    await control(page, 'language').first().click();
    await until(page, () => /平均/.test(document.querySelector('.sweep-table thead').textContent));
    await until(page, () => document.querySelector('html').lang === 'zh-CN');
  }));

testOnce('the tour runs in the page, by mouse and by keyboard', () =>
  openPlay({ bypassCSP: true }, async (page) => {
    await idle(page);
    await control(page, 'welcome').click(); // who comes without a program is offered it
    const title = () => page.locator('#tour-title').textContent();
    const asked = () => until(page, () => document.querySelector('.viewer[data-predict]'));
    assert.equal(await title(), 'The script first');
    await asked();
    assert.ok(await page.evaluate(() => document.activeElement.id === 'tour-title'));
    assert.ok(!(await page.locator('.play-welcome').isVisible()));
    assert.match(await page.locator('.tour-body').textContent(), /In which order do the five lines appear\?/);
    assert.doesNotMatch(await page.locator('.tour-body').textContent(), /The answer/);
    assert.ok(!(await page.locator('.panel.timeline').isVisible()), 'what comes is covered');
    assert.match(await page.locator('.cm-content').textContent(), /"expect": \{…\}/, 'the answer is folded');
    await checkAccess(page, 'tour');
    // By the keyboard: the buttons follow the text.
    const press = async (name) => {
      for (let i = 0; i < 8; ++i) {
        if (await page.evaluate((wanted) => document.activeElement.dataset.tour === wanted, name)) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    };
    await press('answer');
    assert.match(await page.locator('.tour-body').textContent(), /The answer.*main script runs to its end.*Remember: /s);
    assert.ok(await page.locator('.panel.timeline').isVisible());
    assert.equal(await position(page), 1);
    await screenshot(page, 'play-tour');
    await press('next');
    assert.equal(await title(), 'Late timers');
    await asked();
    // The questions of the page are answered in it.
    await page.locator('.predict-choice').first().click();
    await until(page, () => document.querySelector('.predict-verdict').textContent);
    await control(page, 'language').first().click();
    assert.equal(await title(), '迟到的定时器');
    await page.waitForTimeout(600);
    const hash = await page.evaluate(() => location.hash);
    await page.locator('[data-tour=close]').click();
    assert.ok(!(await page.locator('.play-tour').isVisible()));
    // A link to it, and to a lesson by its number, opens that lesson.
    await openPlay({ hash }, async (other) => {
      await idle(other);
      assert.equal(await other.locator('#tour-title').textContent(), '迟到的定时器');
    });
    await openPlay({ hash: '#tour=17' }, async (other) => {
      await idle(other);
      assert.equal(await other.locator('#tour-title').textContent(), 'Five ways to wait');
      assert.match(await other.locator('.tour-progress').textContent(), /lesson 17 of 17/);
      await other.locator('[data-tour=answer]').click();
      await other.locator('[data-tour=next]').click();
      assert.ok(!(await other.locator('.play-tour').isVisible()), 'it is over');
    });
  }));

testOnce('every lesson of the tour runs, and the gallery has them', () =>
  openPlay({}, async (page) => {
    await idle(page);
    await control(page, 'gallery').click();
    assert.equal(await page.locator('[data-lesson]').count(), 17);
    await page.locator('dialog.play-gallery input').fill('thread pool');
    assert.equal(await page.locator('[data-lesson]').count(), 1);
    await page.locator('[data-lesson]').click();
    assert.equal(await page.locator('#tour-title').textContent(), 'The thread pool');
    for (let lesson = 1; lesson <= 17; ++lesson) {
      const before = await jobs(page);
      await page.evaluate((n) => (location.hash = `#tour=${n}`), lesson);
      await until(page, (count) => window.engine.jobs.length > count, before);
      await until(page, () => document.querySelector('.play-status').dataset.state === 'status.done');
      assert.ok(!(await page.locator('.play-problems').isVisible()), `lesson ${lesson}`);
    }
  }));

test('completion in a scenario, by its schema', () =>
  openPlay({ hash: linkTo({ s: '{\n  "main": [{ }]\n}\n', k: 'json' }) }, async (page) => {
    await until(page, () => document.querySelector('.play-status').dataset.state === 'status.refused');
    const options = () => page.locator('.cm-tooltip-autocomplete li').allTextContents();
    const place = async (find) => {
      await page.locator('.cm-content').focus();
      await page.evaluate((text) => {
        const line = [...document.querySelectorAll('.cm-line')].find((one) => one.textContent.includes(text));
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        let rest = line.textContent.indexOf(text) + text.length;
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (rest <= node.length) return getSelection().collapse(node, rest);
          rest -= node.length;
        }
      }, find);
      await page.waitForTimeout(100);
    };
    const complete = async () => {
      await page.keyboard.press('Control+Space');
      await until(page, () => document.querySelector('.cm-tooltip-autocomplete li'));
    };
    // The verbs of a step.
    await place('[{ ');
    await complete();
    const verbs = await options();
    for (const verb of ['setTimeout', 'nextTick', 'fs', 'log']) assert.ok(verbs.includes(verb), `${verb}: ${verbs}`);
    await page.keyboard.type('setTimeo');
    await until(page, () => document.querySelectorAll('.cm-tooltip-autocomplete li').length === 1);
    await page.waitForTimeout(150); // the editor takes no key for a moment, in case it was meant for the text
    await page.keyboard.press('Enter');
    assert.match(await textOf(page), /"main": \[\{ "setTimeout": 100, "do": \[\] ?\}\]/);
    // It runs: what is proposed is right.
    await until(page, () => document.querySelector('.play-status').dataset.state === 'status.done');
    // Behind the verb its options, and only those.
    await place('"do": []');
    await insert(page, ', ');
    await complete();
    assert.deepEqual((await options()).sort(), ['as', 'with']);
    await page.keyboard.press('Escape');
  }));

test('the browser measures how long a picture takes', () =>
  openPlay({}, async (page) => {
    await idle(page);
    await write(page, 'setTimeout(() => 0, 5);');
    const took = () =>
      page.evaluate(() => performance.getEntriesByName('loopsim.picture').map(({ duration }) => duration));
    await until(page, () => performance.getEntriesByName('loopsim.picture').length === 1);
    const [first] = await took();
    assert.ok(first > 0 && first < 20000, String(first));
    await write(page, 'setTimeout(() => 0, 6);');
    assert.equal((await took()).length, 1, 'they do not pile up');
  }));

// Programs of both languages, with settings: ten links.
const kLinked = [
  { s: k105, k: 'json' },
  { s: k105, k: 'json', r: 'node-10', m: 'laptop', n: '7' },
  { s: k105, k: 'json', m: 'busy', l: '0.6', n: '18446744073709551615' },
  { s: "console.log('中文 𝒳');\nsetTimeout(() => console.log('later'), 3);\n" },
  { s: "const fs = require('fs');\nfor (let i = 0; i < 6; i++) fs.readFile(__filename, () => console.log(i));\n", t: '2' },
  { s: "Promise.resolve().then(() => console.log('a'));\nprocess.nextTick(() => console.log('b'));\n", r: 'node-12' },
  { s: "await null;\nconsole.log('module');\nsetImmediate(() => console.log('immediate'));\n", k: 'mjs', n: '3' },
  { s: 'setTimeout(() => missing(), 1);\n', r: 'node-24' },
  {
    s: 'let n = 0;\nconst beat = setInterval(() => { console.log(++n); if (n === 20) clearInterval(beat); }, 2);\n',
    m: 'server',
    l: '0.3',
  },
  {
    s: '{ "main": [{ "repeat": 50, "do": [{ "setTimeout": 4, "as": "t", "do": [{ "nextTick": [{ "log": "x" }] }] }] }] }',
    k: 'json',
    m: 'container',
  },
];
const kNames = { r: '--runtime', m: '--machine', l: '--load', t: '--threads', n: '--seed' };
test('ten links, opened in a fresh browser, give the hash of the program', async () => {
  for (const data of everyThird(kLinked)) {
    const file = data.k === 'json' ? 'scenario.json' : `program.${data.k ?? 'js'}`;
    const options = Object.entries(kNames).flatMap(([key, option]) => (data[key] ? [option, data[key]] : []));
    const native = await answer({ words: ['run', file, '-f', 'none', ...options], files: { [file]: data.s } });
    const [, hash] = / trace ([0-9a-f]{16})$/m.exec(native.stdout + native.stderr) ?? [];
    assert.ok(hash, native.stdout + native.stderr);
    const check = async (page) => {
      await until(page, () => document.querySelector('.viewer .meta, .play-status:is([data-state$=Long], [data-state$=failed])'));
      const words = (await page.locator('.meta, .play-status').allTextContents()).join(' | ');
      assert.ok(words.includes(`trace ${hash}`), `${file} ${options}: ${words}, and not ${hash}`);
    };
    if (hasEngine) await open('real', { hash: linkTo(data), hasWorkers: true }, check);
    else await openPlay({ hash: linkTo(data) }, check);
  }
});

testOnce('the gallery: every scenario, found by its question, opened by a click', () =>
  openPlay({ bypassCSP: true }, async (page) => {
    await idle(page);
    await control(page, 'gallery').click();
    const count = await page.locator('.gallery-entry').count();
    assert.ok(count > 200, `${count} entries`);
    await checkAccess(page, 'gallery');
    await screenshot(page, 'play-gallery');
    await page.locator('dialog.play-gallery input').fill('100 ms timer fires 105');
    assert.equal(await page.locator('.gallery-entry').count(), 1);
    const before = await jobs(page);
    await page.locator('.gallery-entry').click();
    await until(page, (number) => window.engine.jobs.length > number, before);
    await until(
      page,
      () => document.querySelector('.run-title')?.textContent === 'A 100 ms timer that fires at 105 ms',
    );
    assert.equal(await page.locator('[data-setting=kind]').inputValue(), 'json');
    assert.equal(await position(page), 1);
    // The program of before comes back with undo.
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+z');
    assert.match(await textOf(page), /^\/\/ Which line comes first/);
  }));

// ---- pages in a browser and models of I/O

const textOfScenario = (path) => readFileSync(new URL(`../../scenarios/${path}`, import.meta.url), 'utf8');
const settled = async (page, before) => {
  await until(page, (count) => window.engine.jobs.length > count, before);
  await idle(page);
};
async function choose(page, setting, value) {
  const before = await jobs(page);
  await page.locator(`[data-setting=${setting}]`).selectOption(value);
  await settled(page, before);
}
async function openEntry(page, entry) {
  await control(page, 'gallery').click();
  const before = await jobs(page);
  await page.locator(`[data-entry="${entry}"]`).click();
  await settled(page, before);
}
// Where other programs have the machine, a question may take longer than the page lets it: it is asked again.
async function askFor(page, view, selector) {
  for (let again = 0; again < 6 && (await page.locator(selector).count()) === 0; ++again) {
    await page.locator('[data-view=run]').click();
    await page.locator(`[data-view=${view}]`).click();
    await until(page, () => !document.querySelector('.play-answer[aria-busy=true]'));
  }
  assert.ok(await page.locator(selector).first().isVisible(), view);
}
const kBoth =
  "setTimeout(function one() { console.log('1 ms'); }, 1);\nsetTimeout(function zero() { console.log('0 ms'); }, 0);\n" +
  "Promise.resolve().then(function reaction() { console.log('reaction'); });\n";

testOnce('from Node to a browser and back: the same program, another loop', () =>
  openPlay({ bypassCSP: true }, async (page) => {
    await idle(page);
    await write(page, kBoth);
    await until(page, () => document.querySelectorAll('[data-setting=version] option').length > 10);
    const pool = page.locator('.play-setting.is-threads');
    const meta = () => page.locator('.meta').textContent();
    assert.deepEqual(await outputAtEnd(page), ['reaction', '1 ms', '0 ms']);
    assert.ok(await pool.isVisible());
    await choose(page, 'version', 'chrome');
    assert.match(await meta(), /^chrome · machine ideal · seed 0/);
    assert.deepEqual(await outputAtEnd(page), ['reaction', '0 ms', '1 ms']);
    assert.ok(!(await pool.isVisible()), 'a page has no pool');
    // The window and the document are there, and its loop has phases of its own.
    await write(
      page,
      "requestAnimationFrame(() => console.log('frame', document.body.tagName));\nconsole.log(typeof require, typeof window);\n",
    );
    assert.deepEqual(await outputAtEnd(page), ['undefined object', 'frame BODY']);
    assert.match(await page.locator('svg.ring').textContent(), /rendering/i);
    await control(page, 'first').click();
    await screenshot(page, 'play-chrome');
    await checkAccess(page, 'chrome');
    await control(page, 'share').click();
    assert.ok(!(await page.locator('[data-share=script]').isVisible()), 'it is no script for Node');
    await page.keyboard.press('Escape');
    await choose(page, 'version', 'firefox');
    assert.match(await meta(), /^firefox · /);
    await choose(page, 'version', 'node-24');
    assert.match(await page.locator('.play-problems').textContent(), /line 1: ReferenceError: requestAnimationFrame is not defined/);
    assert.ok(await pool.isVisible());
    await write(page, kBoth);
    assert.deepEqual(await outputAtEnd(page), ['reaction', '1 ms', '0 ms']);
    // They stand in groups; what runs no JavaScript cannot be chosen for it.
    const groups = await page
      .locator('[data-setting=version] optgroup')
      .evaluateAll((all) => all.map((one) => [one.label, one.disabled, one.lastElementChild.value]));
    assert.deepEqual(groups, [
      ['Node.js', false, 'node-26'],
      ['libuv alone', true, 'libuv-1.52'],
      ['Pages in a browser', false, 'firefox'],
      ['Models of I/O', true, 'io'],
    ]);
  }));

testOnce('Node and a browser side by side, and why they differ', () =>
  openPlay({ hash: linkTo({ s: kBoth, r: 'node-24', v: ['compare', 'chrome', ''] }) }, async (page) => {
    await until(page, () => document.querySelector('.compare-rows tr.is-first'));
    assert.deepEqual(await page.locator('.compare-rows th').allTextContents(), ['node-24', 'difference', 'chrome']);
    const column = (n) => page.locator(`.compare-rows tbody td:nth-child(${n})`).allTextContents();
    const lines = (cells) => cells.filter((one) => one.includes('│')).map((one) => one.replace(/.*│ /, ''));
    assert.deepEqual(lines(await column(1)).filter(Boolean), ['reaction', '1 ms', '0 ms']);
    assert.deepEqual(lines(await column(3)).filter(Boolean), ['reaction', '0 ms', '1 ms']);
    assert.match(await page.locator('.compare-why').textContent(), /the event loop: Node's: phases/);
    assert.equal(await page.locator('.compare-times .strip svg').count(), 2);
    await screenshot(page, 'play-compare-chrome');
    await control(page, 'language').first().click();
    assert.match(await page.locator('.compare-why p').textContent(), /事件循环/);
  }));

testOnce('a scenario of a page: from the gallery, with orders and a sweep', () =>
  openPlay({ bypassCSP: true }, async (page) => {
    await idle(page);
    await openEntry(page, 'browser/two-timers-two-promises.json');
    assert.match(await page.locator('.meta').textContent(), /^chrome · /);
    assert.equal(await page.locator('[data-setting=version]').inputValue(), '', 'the scenario says so');
    assert.ok(!(await page.locator('.play-setting.is-threads').isVisible()));
    assert.ok((await outputAtEnd(page)).length > 1);
    await screenshot(page, 'play-page-scenario');
    await checkAccess(page, 'page of a scenario');
    await askFor(page, 'orders', '.orders > li');
    await askFor(page, 'sweep', '.sweep-point');
    await page.locator('[data-sweep=against]').selectOption('threads');
    await until(page, () => /no pool of threads/.test(document.querySelector('.play-sweep').textContent));
  }));

testOnce('a model of I/O: two columns and its calls, with what it has no use for left out', () =>
  openPlay({ bypassCSP: true }, async (page) => {
    await idle(page);
    await openEntry(page, 'io/poll.json');
    const drawn = (text) => page.locator(`.play-drawing svg text`, { hasText: text }).count();
    assert.ok((await drawn('poll(3,4,5)')) > 0, 'what the process does');
    assert.match(await page.locator('.drawing-calls pre').textContent(), /^poll\(3,4,5\) = 1 \[3\]\nread\(3\) = 100\n/);
    assert.equal(await page.title(), 'poll(): data that come while the process computes · loopsim playground');
    assert.equal(await page.locator('.viewer').count(), 0);
    assert.ok(!(await page.locator('.play-setting.is-threads').isVisible()));
    await screenshot(page, 'play-io');
    await checkAccess(page, 'io');
    // Orders say why there are none; a sweep is one of its lateness; two machines are two drawings.
    await page.locator('[data-view=orders]').click();
    assert.match(await page.locator('.play-orders').textContent(), /prints nothing/);
    await askFor(page, 'sweep', '.sweep-point');
    await page.locator('[data-view=compare]').click();
    assert.match(await page.locator('.play-compare').textContent(), /another machine/);
    assert.ok(!(await page.locator('[data-compare=version]').isVisible()));
    await page.locator('[data-compare=machine]').selectOption('laptop');
    await until(page, () => document.querySelectorAll('.compare-drawings svg').length === 2);
    await checkAccess(page, 'two drawings');
    await screenshot(page, 'play-io-compare');
    await page.locator('[data-view=run]').click();
    await control(page, 'share').click();
    assert.ok(!(await page.locator('[data-share=script]').isVisible()));
    await page.keyboard.press('Escape');
    // Several models stand side by side, and speak the language of the page.
    await openEntry(page, 'io/five-models.json');
    assert.equal(await page.locator('.play-viewer .drawing-calls section').count(), 5);
    await control(page, 'language').first().click();
    await until(page, () => /内核/.test(document.querySelector('.play-viewer svg').textContent));
    await control(page, 'language').first().click();
    // What is wrong is told at its place, and the drawing stays; a program for Node has the viewer again.
    await write(page, textOfScenario('io/poll.json').replace('"poll"', '"pol"'));
    assert.match(await page.locator('.play-problems').textContent(), /did you mean "poll"/);
    assert.ok(await page.locator('.play-viewer .play-drawing').isVisible());
    await openEntry(page, 'docs/timer-105ms.json');
    assert.ok(await page.locator('.viewer').isVisible());
    assert.equal(await page.locator('.play-viewer .play-drawing').count(), 0);
    assert.ok(await page.locator('.play-setting.is-threads').isVisible());
  }));

testOnce('links to a page and to a model of I/O open again, also embedded', async () => {
  const isPage = () => document.querySelector('.meta')?.textContent.startsWith('chrome · ');
  const isDrawing = () => document.querySelector('.play-drawing svg');
  for (const [data, isThere] of [
    [{ s: kBoth, r: 'chrome' }, isPage],
    [{ s: textOfScenario('browser/one-frame.json'), k: 'json' }, isPage],
    [{ s: textOfScenario('io/epoll.json'), k: 'json', r: 'io' }, isDrawing],
  ])
    for (const hash of [linkTo(data), linkTo(data).replace('#', '#embed.')]) {
      let again = '';
      await openPlay({ hash }, async (page) => {
        await until(page, isThere);
        await idle(page);
        await page.waitForTimeout(600);
        again = await page.evaluate(() => location.hash);
      });
      await openPlay({ hash: again }, async (page) => {
        await until(page, isThere);
        if (!hash.includes('embed')) assert.equal(await textOf(page), data.s);
      });
    }
});

test('markup in a model of I/O stays text', () => {
  const document_ = { ...JSON.parse(textOfScenario('io/poll.json')), title: kMarkup };
  return openPlay({ hash: linkTo({ s: JSON.stringify(document_), k: 'json' }) }, async (page) => {
    await until(page, () => document.querySelector('.play-drawing svg'));
    const scripts = () => document.querySelectorAll('.play-drawing script').length;
    const [injected, images] = [() => window.injected, () => document.images.length];
    assert.deepEqual(await Promise.all([injected, images, scripts].map((one) => page.evaluate(one))), [undefined, 0, 0]);
    assert.ok((await page.title()).startsWith(kMarkup.slice(0, 9)));
  });
});

testOnce('a lesson of the tour may be about a page or a model of I/O', async () => {
  // The lessons that there are, with other programs.
  const html = readFileSync(join(folder, 'play.html'), 'utf8');
  const entries = ['io/poll.json', 'browser/one-frame.json'];
  let number = 0;
  const other = html.replace(/"entry":"[^"]*"/g, (one) => (entries[number] ? `"entry":"${entries[number++]}"` : one));
  writeFileSync(join(folder, 'lessons.html'), other);
  assert.equal(number, 2);
  await openPlay({ file: 'lessons', hash: '#tour=1' }, async (page) => {
    await until(page, () => document.querySelector('.play-drawing'));
    await idle(page);
    assert.ok(!(await page.locator('.play-drawing svg').isVisible()), 'it would tell the answer');
    assert.match(await page.locator('.tour-hint').textContent(), /The drawing shows itself/);
    await page.locator('[data-tour=answer]').click();
    assert.ok(await page.locator('.play-drawing svg').isVisible());
    assert.match(await page.locator('.tour-hint').textContent(), /columns/);
    const before = await jobs(page);
    await page.locator('[data-tour=next]').click();
    await settled(page, before);
    await until(page, () => document.querySelector('.viewer[data-predict]'));
    assert.match(await page.locator('.meta').textContent(), /^chrome · /);
    assert.match(await page.locator('.tour-hint').textContent(), /one callback after the other/);
  });
});

testOnce('every scenario of a page and of a model of I/O runs', () =>
  openPlay({}, async (page) => {
    await idle(page);
    await control(page, 'gallery').click();
    const rows = page.locator('[data-entry^="browser/"], [data-entry^="io/"]');
    const entries = await rows.evaluateAll((all) => all.map((one) => one.dataset.entry));
    assert.ok(entries.length > 25, entries.join());
    await page.keyboard.press('Escape');
    for (const entry of everyThird(entries)) {
      const before = await jobs(page);
      await control(page, 'gallery').click();
      await page.locator(`[data-entry="${entry}"]`).click();
      await until(page, (count) => window.engine.jobs.length > count, before);
      await idle(page);
      assert.match(await status(page), /^status\.(?:done|limit)$/, entry);
      assert.ok(await page.locator(entry.startsWith('io/') ? '.play-drawing svg' : '.viewer').isVisible(), entry);
    }
  }));

async function checkAccess(page, where) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map((one) => one.target.join(' ')).join('; ')}`),
    [],
  );
}

test('axe finds nothing, on a desk and on a phone, in both languages and themes; nothing sticks out', async () => {
  for (const [name, viewport] of everyThird([
    ['desk', kDesk],
    ['tablet', { width: 900, height: 1100 }],
    ['small', { width: 320, height: 568 }],
    ['phone', kPhone],
    ['sideways', { width: 844, height: 390 }],
  ]))
    for (const [locale, colorScheme] of [
      ['en-GB', 'light'],
      ['zh-CN', 'dark'],
    ])
      await openPlay({ viewport, locale, colorScheme, bypassCSP: true }, async (page) => {
        await idle(page);
        const look = async (what) => {
          const where = `${name}-${colorScheme}-${what}`;
          await screenshot(page, `play-${where}`);
          const [wide, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok(wide <= inner, `${where}: the page is ${wide} wide`);
          await checkAccess(page, where);
        };
        await look('edit');
        await write(page, "missing('a');\n");
        await look('problem');
        if (await control(page, 'watch').isVisible()) {
          await control(page, 'watch').click();
          assert.ok(await page.locator('.viewer').isVisible());
          assert.ok(!(await page.locator('.cm-editor').isVisible()));
        }
        await look('watch');
        await control(page, 'share').click();
        await look('share');
      });
});

test('the keyboard reaches everything and is caught nowhere', () =>
  openPlay({}, async (page) => {
    await idle(page);
    const reached = new Set();
    for (let i = 0; i < 60; ++i) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => {
          const { dataset, className } = document.activeElement;
          return dataset.setting ?? dataset.control ?? String(className).split(' ')[0];
        }),
      );
    }
    for (const name of [
      'kind',
      'version',
      'machine',
      'load',
      'threads',
      'seed',
      'run',
      'share',
      'language',
      'theme',
      'cm-content',
      'play',
      'forward',
      'scrub',
    ])
      assert.ok(reached.has(name), `${name} is reached: ${[...reached].join()}`);
    const before = await jobs(page);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    await until(page, (count) => window.engine.jobs.length > count, before);
  }));

testOnce('many runs leave nothing behind', () =>
  openPlay({}, async (page) => {
    await idle(page);
    const session = isFirefox ? null : await page.context().newCDPSession(page);
    await session?.send('Performance.enable');
    const runs = async (count) => {
      for (let i = 0; i < count; ++i) {
        const before = await jobs(page);
        await control(page, 'run').click();
        await until(page, (number) => window.engine.jobs.length > number, before);
        await idle(page);
      }
      await session?.send('HeapProfiler.collectGarbage');
      await session?.send('HeapProfiler.collectGarbage');
      const metrics = (await session?.send('Performance.getMetrics'))?.metrics ?? [];
      const of = (name) => metrics.find((one) => one.name === name)?.value ?? 0; // Firefox tells only what is in the page
      return {
        nodes: of('Nodes'),
        listeners: of('JSEventListeners'),
        elements: await page.evaluate(() => document.querySelectorAll('*').length),
        highlights: await page.evaluate(() => CSS.highlights.get('current-step')?.size ?? 0),
      };
    };
    const [first, last] = [await runs(5), await runs(20)];
    // One viewer has some hundred nodes and dozens of listeners: twenty that stayed would be thousands.
    assert.ok(last.nodes < first.nodes + 300, JSON.stringify([first, last]));
    assert.ok(last.listeners < first.listeners + 30, JSON.stringify([first, last]));
    assert.ok(last.elements < first.elements + 30, JSON.stringify([first, last]));
    assert.ok(last.highlights <= 1, JSON.stringify([first, last]));
  }));

test('without its engine the playground says so', () =>
  open('without', {}, async (page) => {
    await until(page, () => document.querySelector('.play-status').dataset.state === 'status.failed');
    assert.match(await page.locator('.play-status').textContent(), /built without its engine/);
  }));

test(
  'the worker runs the module that stands in the page',
  { skip: !hasStandIn && 'there is no compiler for WebAssembly with WASI' },
  () =>
    open('stand-in', { hasWorkers: true }, async (page) => {
      await until(page, () => document.querySelector('.play-status').dataset.state === 'status.refused');
      assert.match(await page.locator('.play-problems').textContent(), /line 2: said by the stand-in, call 1/);
      await control(page, 'run').click();
      // The same instance again; the lists of versions and machines were calls of their own.
      await until(page, () => /call [2-9]/.test(document.querySelector('.play-problems').textContent));
      const packed = Buffer.from(await page.locator('#engine').textContent(), 'base64');
      assert.equal(execFileSync('xz', ['-dc'], { input: packed }).subarray(0, 4).toString('latin1'), '\0asm');
    }),
);

test(
  "where the browser's own stack ends the page says so, and the next program runs",
  { skip: !hasStandIn && 'there is no compiler for WebAssembly with WASI' },
  () =>
    open('stand-in', { hasWorkers: true }, async (page) => {
      const status = page.locator('.play-status');
      const state = (name) => until(page, (one) => document.querySelector('.play-status').dataset.state === one, name);
      const write = async (text) => {
        await page.locator('.cm-content').focus();
        await page.keyboard.press('ControlOrMeta+a');
        await insert(page, text);
      };
      await state('status.refused');
      await write('//deep\n');
      await state('status.tooDeep');
      assert.equal(
        await status.textContent(),
        'This nests deeper than the browser’s stack allows. Nest less, or run it with the program loopsim. ' +
          'The picture is that of the run before.',
      );
      await control(page, 'language').first().click();
      assert.equal(
        await status.textContent(),
        '嵌套的深度超过了浏览器的栈所能容纳的。请减少嵌套，或者用命令行程序 loopsim 运行。图像是上一次运行的。',
      );
      await write('// flat\n');
      await state('status.refused');
      assert.match(await page.locator('.play-problems').textContent(), /said by the stand-in, call [12]$/m);
    }),
);

test('the engine itself', { skip: !hasEngine && 'the playground was built without its engine' }, async () => {
  const seen = async (page) => {
    await until(page, () => document.querySelector('.play-status').dataset.state === 'status.done');
    await until(page, () => document.querySelectorAll('[data-setting=version] option').length > 10);
    return [
      await page.locator('.meta').textContent(),
      await outputAtEnd(page),
      await page.locator('.scrub').getAttribute('max'),
    ];
  };
  let native;
  await openPlay({}, async (page) => (native = await seen(page)));
  await open('real', { hasWorkers: true }, async (page) => assert.deepEqual(await seen(page), native));
});
