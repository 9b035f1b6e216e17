// The playground in headless Chromium and Firefox. In the place of the worker with the engine stands the program itself, which the test
// calls; the worker has a test of its own, with a module that has the engine's interface.
//
//   node --test play.test.mjs      tests/page/page.py play sets the environment
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { control, isFirefox, kDesk, open, position, require, until } from './harness.mjs';
import { answer } from './native_engine.mjs';

const {
  LOOPSIM_SHOTS: shots,
  LOOPSIM_PAGES: folder,
  LOOPSIM_HAS_STAND_IN: hasStandIn,
  LOOPSIM_HAS_ENGINE: hasEngine,
} = process.env;
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const kPhone = { width: 390, height: 844 };

// Takes the place of Worker in the page. window.engine tells the test what it did, and lets it delay what comes.
function takeWorkersPlace() {
  window.engine = { jobs: [], ended: 0, delay: 0 };
  window.Worker = class {
    isEnded = false;
    postMessage(message) {
      if (message.kind !== 'run') return;
      window.engine.jobs.push(message.job.words);
      const { delay } = window.engine;
      window
        .answerJob(message.job)
        .then((outcome) => new Promise((resolve) => setTimeout(() => resolve(outcome), delay)))
        .then((outcome) => this.isEnded || this.onmessage({ data: { kind: 'done', id: message.id, outcome } }));
    }
    terminate() {
      this.isEnded = true;
      ++window.engine.ended;
    }
  };
}

const openPlay = (options, visit) =>
  open(
    'play',
    {
      ...options,
      prepare: async (page) => {
        await page.exposeFunction('answerJob', answer);
        await page.addInitScript(takeWorkersPlace);
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
  await page.keyboard.insertText(text);
  await until(page, (count) => window.engine.jobs.length > count, before);
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
    await page.keyboard.insertText('"log"');
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

test('a run can be stopped, and one that is out of date ends by itself', () =>
  openPlay({}, async (page) => {
    await idle(page);
    assert.ok(await control(page, 'stop').isDisabled());
    await page.evaluate(() => (window.engine.delay = 60000));
    await control(page, 'run').click();
    await until(page, () => document.querySelector('.play-status').dataset.state === 'status.running');
    await control(page, 'stop').click();
    await until(page, () => document.querySelector('.play-status').dataset.state === 'status.stopped');
    assert.equal(await page.evaluate(() => window.engine.ended), 1);
    assert.ok(await control(page, 'stop').isDisabled());
    assert.ok(await page.locator('.viewer').isVisible(), 'the last picture');
    await control(page, 'run').click();
    await until(page, () => document.querySelector('#play[data-running]'));
    await page.evaluate(() => (window.engine.delay = 0));
    await write(page, "console.log('new');");
    assert.equal(await page.evaluate(() => window.engine.ended), 2);
    assert.deepEqual(await outputAtEnd(page), ['new']);
  }));

test('the place in the run is kept when it runs again', () =>
  openPlay({}, async (page) => {
    await idle(page);
    for (let i = 0; i < 7; ++i) await control(page, 'forward').click();
    await page.locator('.lower-choice button').last().click();
    const [at, shown] = [await position(page), await page.locator('.position').textContent()];
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('// a comment');
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
    assert.equal(await page.evaluate(() => history.length), 2, 'no entries of the history');
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
  for (const [hash, state] of [
    ['#1.AAAA', 'link.broken'],
    ['#2.AAAA', 'link.version'],
    ['#1.<img src=x onerror=window.injected=1>', 'link.broken'],
    [`#1.${'A'.repeat(300_000)}`, 'link.large'],
    ['#event=27', 'link.broken'],
  ])
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
      const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
      return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
    };
    assert.deepEqual(await saved('program'), [
      'scenario.json',
      '{ "title": "Shared", "main": [{ "setTimeout": 1, "as": "a", "do": [{ "log": "x" }] }] }',
    ]);
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

test('two versions side by side: the first difference, and why', () =>
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
    await page.screenshot({ path: join(shots, 'play-compare.png') });
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

test('the orders that occur, with their shares', () =>
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

test('the gallery: every scenario, found by its question, opened by a click', () =>
  openPlay({ bypassCSP: true }, async (page) => {
    await idle(page);
    await control(page, 'gallery').click();
    const count = await page.locator('.gallery-entry').count();
    assert.ok(count > 200, `${count} entries`);
    await checkAccess(page, 'gallery');
    await page.screenshot({ path: join(shots, 'play-gallery.png') });
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

async function checkAccess(page, where) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map((one) => one.target.join(' ')).join('; ')}`),
    [],
  );
}

test('axe finds nothing, on a desk and on a phone, in both languages and themes; nothing sticks out', async () => {
  for (const [name, viewport] of [
    ['desk', kDesk],
    ['tablet', { width: 900, height: 1100 }],
    ['phone', kPhone],
    ['sideways', { width: 844, height: 390 }],
  ])
    for (const [locale, colorScheme] of [
      ['en-GB', 'light'],
      ['zh-CN', 'dark'],
    ])
      await openPlay({ viewport, locale, colorScheme, bypassCSP: true }, async (page) => {
        await idle(page);
        const look = async (what) => {
          const where = `${name}-${colorScheme}-${what}`;
          await page.screenshot({ path: join(shots, `play-${where}.png`) });
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

test('many runs leave nothing behind', () =>
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
      assert.equal(
        gunzipSync(Buffer.from(await page.locator('#engine').textContent(), 'base64'))
          .subarray(0, 4)
          .toString('latin1'),
        '\0asm',
      );
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
