// The page in headless Chromium: controls, keyboard, links, themes, languages, screen sizes, accessibility.
//
//   node --test browser.test.mjs      tests/page/page.py browser sets the environment
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { control, eventOf, kDesk, lastEvent, open, position, require, screenshot, texts, until } from './harness.mjs';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const kTimer = 'docs-timer-105ms';
const kTour = 'lessons-a-tour-of-the-loop';
const kPhone = { width: 390, height: 844 };

test('every control of the bar', () =>
  open(kTour, {}, async (page) => {
    assert.equal(await position(page), 1);
    await control(page, 'forward').click();
    await control(page, 'forward').click();
    assert.equal(await position(page), 3);
    await control(page, 'back').click();
    assert.equal(await position(page), 2);
    await control(page, 'last').click();
    assert.equal(await position(page), await lastEvent(page));
    await control(page, 'first').click();
    assert.equal(await position(page), 1);
    await control(page, 'nextCallback').click();
    const second = await eventOf(page, 'event.ev === "callback_begin" && event.seq > 1');
    assert.equal(await position(page), second);
    await control(page, 'previousCallback').click();
    assert.equal(await position(page), 1);
    await control(page, 'over').click();
    assert.equal(await position(page), await eventOf(page, 'event.ev === "callback_end"'));
    await page.locator('.scrub').fill('40');
    assert.equal(await position(page), 40);
    assert.equal(await page.locator('.now-number').textContent(), 'event 40');
  }));

test('it plays, at the speed that is set, and stops at the end', () =>
  open(kTour, {}, async (page) => {
    await page.locator('.speed').selectOption('1000');
    await control(page, 'play').click();
    await until(page, () => document.querySelector('.scrub').value === document.querySelector('.scrub').max);
    await until(page, () => document.querySelector('.control.play').getAttribute('aria-label') === 'Play');
    // Play at the end restarts; at half an event per second it is still near the start when stopped.
    await page.locator('.speed').selectOption('0.5');
    await control(page, 'play').click();
    assert.equal(await control(page, 'play').getAttribute('aria-label'), 'Pause');
    await control(page, 'play').click();
    assert.ok((await position(page)) <= 5);
  }));

test('the keyboard does what the controls do', () =>
  open(kTour, {}, async (page) => {
    const press = async (key, expected) => {
      await page.keyboard.press(key);
      assert.equal(await position(page), expected, key);
    };
    const last = await lastEvent(page);
    const begin = await eventOf(page, 'event.ev === "callback_begin" && event.seq > 1');
    await press('ArrowRight', 2);
    await press('ArrowLeft', 1);
    await press('n', begin);
    await press('o', await eventOf(page, `event.ev === "callback_end" && event.seq > ${begin}`));
    await press('p', begin);
    await press('End', last);
    await press('Home', 1);
    await page.keyboard.press(']');
    assert.equal(await page.locator('.speed').inputValue(), '8');
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    assert.equal(await page.locator('.speed').inputValue(), '2');
    await page.keyboard.press('Space');
    assert.equal(await control(page, 'play').getAttribute('aria-label'), 'Pause');
    await page.keyboard.press('Space');
    assert.equal(await control(page, 'play').getAttribute('aria-label'), 'Play');
    await page.keyboard.press('?');
    assert.ok(await page.locator('dialog.help').isVisible());
    const before = await position(page);
    await page.keyboard.press('ArrowRight');
    assert.equal(await position(page), before, 'help is modal');
    await page.keyboard.press('Escape');
    assert.ok(!(await page.locator('dialog.help').isVisible()));
    await page.keyboard.press('t');
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.keyboard.press('l');
    assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
    await page.keyboard.press('l');
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    // Tab reaches every control, and the focus is visible.
    const reached = new Set();
    for (let i = 0; i < 60; ++i) {
      await page.keyboard.press('Tab');
      const [name, outline] = await page.evaluate(() => {
        const element = document.activeElement;
        return [element.dataset.control ?? element.className.split(' ')[0], getComputedStyle(element).outlineStyle];
      });
      if (name) reached.add(name);
      assert.ok(name === '' || outline !== 'none', `${name} shows its focus`);
    }
    for (const name of ['language', 'theme', 'help', 'play', 'forward', 'back', 'scrub', 'speed', 'search'])
      assert.ok(reached.has(name), `${name} is reached`);
  }));

test('search finds events, callbacks and output', () =>
  open(kTour, {}, async (page) => {
    await page.keyboard.press('/');
    await page.locator('.search-input').fill('file2');
    await page.keyboard.press('Enter');
    assert.equal(await position(page), await eventOf(page, 'event.ev === "callback_begin" && event.name === "file2"'));
    await control(page, 'search').click();
    await page.locator('.search-input').fill('closing: socket');
    await page.keyboard.press('Enter');
    assert.equal(await position(page), await eventOf(page, 'event.text === "closing: socket closed"'));
    await page.keyboard.press('/');
    await page.locator('.search-input').fill('77');
    await page.locator('.search-results li').first().click();
    assert.equal(await position(page), 77);
    await page.keyboard.press('/');
    await page.locator('.search-input').fill('no such thing');
    assert.match(await page.locator('dialog.search [role=status]').textContent(), /Nothing found for “no such thing”/);
    await page.keyboard.press('Escape');
    assert.equal(await position(page), 77);
  }));

test('deep links: read, kept, followed', () =>
  open(kTour, { hash: '#event=55&lang=zh&theme=dark' }, async (page) => {
    assert.equal(await position(page), 55);
    assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    const entries = await page.evaluate(() => history.length);
    await page.keyboard.press('ArrowRight');
    await until(page, () => location.hash === '#event=56&lang=zh&theme=dark');
    assert.equal(await page.evaluate(() => history.length), entries);
    await page.evaluate(() => {
      location.hash = '#event=9&lang=en&theme=light';
    });
    await until(page, () => document.querySelector('.scrub').value === '9');
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'light');
  }));

test('an event that is not there leads to the last, nonsense to the first', async () => {
  await open(kTour, { hash: '#event=999999' }, async (page) =>
    assert.equal(await position(page), await lastEvent(page)),
  );
  await open(kTour, { hash: '#event=x&theme=purple' }, async (page) => assert.equal(await position(page), 1));
});

test('light and dark follow the system until one is chosen', async () => {
  await open(kTimer, { colorScheme: 'dark' }, async (page) => {
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await until(page, () => document.documentElement.dataset.theme === 'light');
    await control(page, 'theme').click();
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  });
});

test('all words change with the language', () =>
  open(kTour, { hash: '#event=41' }, async (page) => {
    assert.equal(await page.locator('#queues-title').textContent(), 'Queues');
    await control(page, 'language').click();
    assert.equal(await page.locator('#queues-title').textContent(), '队列');
    assert.equal(await page.locator('.now-words').textContent(), 'nextTick@28 开始');
    assert.match(await page.locator('.sentences').textContent(), /[\u4e00-\u9fff]/);
    // All labels are in Chinese, except for these two.
    const labels = await page.evaluate(() =>
      [...document.querySelectorAll('[aria-label]')]
        .filter((one) => one.offsetParent)
        .map((one) => one.getAttribute('aria-label')),
    );
    for (const label of labels) assert.match(label, /[\u4e00-\u9fff]|^JavaScript$|^Switch to English$/, label);
    await control(page, 'language').click();
    assert.equal(await page.locator('#queues-title').textContent(), 'Queues');
  }));
test('a Chinese browser begins in Chinese', () =>
  open(kTimer, { locale: 'zh-CN' }, async (page) => {
    assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
  }));

test('the ring, the queues, the stack and the console at a known moment', () =>
  open(kTour, {}, async (page) => {
    await page.goto(
      page.url().replace(/#.*/, '') + `#event=${await eventOf(page, 'event.text === "timers: timer of 1 ms"')}`,
    );
    await until(page, () => document.querySelector('.now-words').textContent.includes('timer of 1 ms'));
    assert.deepEqual(await texts(page, '.station.is-live .station-name'), ['timers']);
    const queue = (name) =>
      page
        .locator('.queue', { has: page.locator(`.queue-name:text-is("${name}")`) })
        .locator('.chip-name')
        .allTextContents();
    assert.deepEqual(await queue('Timers'), ['timer2']);
    assert.deepEqual(await queue('Pending'), ['socket']); // libuv's handle, not the listener's callback
    assert.deepEqual(await queue('Immediates'), ['immediate1']);
    assert.deepEqual((await queue('Thread pool')).sort(), ['file1', 'file2', 'file3']);
    assert.deepEqual(await texts(page, '.frames .chip-name'), ['timer1']);
    assert.deepEqual(await texts(page, '.console-line .console-text'), [
      'main script begins',
      'main script ends',
      '  tick of the main script',
      '  microtask of the main script',
      'timers: timer of 1 ms',
    ]);
    // Both listings show the step.
    assert.match(
      await page.locator('.listing').first().locator('.is-step').textContent(),
      /"log": "timers: timer of 1 ms"/,
    );
    assert.match(
      await page.locator('.listing').last().locator('.is-step').textContent(),
      /console\.log\('timers: timer of 1 ms'\)/,
    );
    assert.equal(
      await page.evaluate(() => [...CSS.highlights.get('current-step')].map(String).join()),
      '{ "log": "timers: timer of 1 ms" }',
    );
    for (const listing of await page.locator('.listing').all()) {
      const seen = await listing.evaluate((element) => {
        const [line, area] = [
          element.querySelector('.is-step').getBoundingClientRect(),
          element.querySelector('.listing-lines').getBoundingClientRect(),
        ];
        return line.top >= area.top && line.bottom <= area.bottom;
      });
      assert.ok(seen, 'the step is in sight');
    }
  }));

test('of two steps in one line, the one is marked that the event is about', () =>
  open('lessons-ticks-and-microtasks-in-turns', {}, async (page) => {
    const marked = async (condition) => {
      const event = await eventOf(page, condition);
      await page.evaluate((n) => (location.hash = `#event=${n}`), event);
      await until(page, (n) => document.querySelector('.scrub').value === String(n), event);
      return page.evaluate(() => [...CSS.highlights.get('current-step')].map(String).join());
    };
    assert.equal(await marked('event.text === "tick 1"'), '{ "log": "tick 1" }');
    assert.equal(await marked('event.text === "tick 3"'), '{ "log": "tick 3" }');
    assert.equal(
      await marked('event.ev === "schedule" && event.api === "nextTick" && event.line === 20 && event.column > 10'),
      '{ "nextTick": [ { "log": "tick 3" } ] }',
    );
  }));

test('events about queues are no steps, can be reached, and what is of Node’s own says what it is', () =>
  open(kTour, {}, async (page) => {
    const asked = await eventOf(page, 'event.ev === "schedule" && event.api === "fs"');
    const begun = await eventOf(page, 'event.ev === "work_begin"');
    const next = await eventOf(page, `event.seq > ${begun} && event.ev === "schedule"`);
    const goTo = async (n) => {
      await page.keyboard.press('/');
      await page.locator('.search-input').fill(String(n));
      await page.locator('.search-results li').first().click();
      assert.equal(await position(page), n);
    };
    const onThreads = () => texts(page, '.thread .chip-name');
    await goTo(asked);
    assert.deepEqual(await onThreads(), ['file2'], 'a step is shown with what it puts on a thread');
    await page.keyboard.press('ArrowRight');
    assert.equal(await position(page), next);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await position(page), asked);
    // The scrubber stops only at steps: at the next one in its direction.
    await page.locator('.scrub').fill(String(begun));
    assert.equal(await position(page), next);
    await page.locator('.scrub').fill(String(begun));
    assert.equal(await position(page), asked);
    await goTo(begun - 1);
    assert.deepEqual(await onThreads(), [], 'at the event itself, exactly');
    await goTo(begun);
    assert.deepEqual(await onThreads(), ['file2']);
    assert.equal(await page.locator('.now-words').textContent(), 'Pool thread 0 begins with access of file2');
    await page.locator('.lower-choice button').last().click();
    const listed = await texts(page, '.event-line .event-number');
    assert.ok(listed.includes(String(asked)) && !listed.includes(String(begun)), listed.join());
    await goTo(await eventOf(page, 'event.ev === "phase_enter" && event.phase === "pending"'));
    const own = page.locator('.queue .chip.is-own', { hasText: 'emitErrorCloseNT (socket)' });
    assert.match(await own.getAttribute('title'), /^emitErrorCloseNT \(socket\): a tick of Node’s own/);
  }));

test('a reason, and its links', () =>
  open(kTimer, {}, async (page) => {
    await page.goto(
      page.url().replace(/#.*/, '') +
        `#event=${await eventOf(page, 'event.ev === "callback_begin" && event.name === "timer"')}`,
    );
    await until(page, () => document.querySelector('.why-name')?.textContent.startsWith('timer'));
    const reason = await page.locator('.sentences').textContent();
    assert.match(reason, /100/);
    assert.match(reason, /someAsyncOperation/);
    assert.match(reason, /(libuv|Node): /);
    const at = await position(page);
    await page.locator('.sentences .link', { hasText: 'someAsyncOperation' }).first().click();
    assert.match(await page.locator('.why-name').textContent(), /^someAsyncOperation/);
    assert.equal(await position(page), at, 'looking at another callback does not move');
    await page.locator('.why-links button').last().click();
    assert.equal(
      await position(page),
      await eventOf(page, 'event.ev === "callback_begin" && event.name === "someAsyncOperation"'),
    );
    // Clicking a chip in a queue explains a callback that has not run yet.
    await page.locator('.queue .chip', { hasText: 'timer' }).first().click();
    assert.match(await page.locator('.why-name').textContent(), /^timer/);
    await page.keyboard.press('Escape');
    assert.match(await page.locator('.why-name').textContent(), /^someAsyncOperation/);
  }));

test('the timeline: click, zoom, move, both scales, wheel', () =>
  open(kTour, {}, async (page) => {
    const ticks = () => texts(page, '.axis .tick text');
    const canvas = page.locator('canvas.lanes');
    const area = await canvas.boundingBox();
    const all = await ticks();
    await canvas.click({ position: { x: area.width - 40, y: 12 } });
    assert.ok((await position(page)) > 100, 'a click on the right leads near the end');
    await page.locator('.timeline').getByRole('button', { name: 'Time', exact: true }).click();
    assert.ok(
      (await ticks()).every((text) => /ms$/.test(text)),
      'time in ms',
    );
    await page.getByRole('button', { name: 'Zoom in' }).click();
    assert.notDeepEqual(await ticks(), all);
    const zoomed = await ticks();
    await page.keyboard.press('Shift+ArrowLeft');
    assert.notDeepEqual(await ticks(), zoomed);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('button', { name: 'Steps' }).click();
    assert.deepEqual(await ticks(), all);
    for (const [key, isAll] of [
      ['+', false],
      ['0', true],
      ['+', false],
      ['-', true],
      ['s', false],
      ['s', true],
    ]) {
      await page.keyboard.press(key);
      assert.equal(JSON.stringify(await ticks()) === JSON.stringify(all), isAll, key);
    }
    await page.mouse.move(area.x + area.width / 2, area.y + 12);
    await page.mouse.wheel(0, -300);
    await until(
      page,
      (before) =>
        JSON.stringify([...document.querySelectorAll('.axis .tick text')].map((one) => one.textContent)) !== before,
      JSON.stringify(all),
    );
    const wheeled = await ticks();
    await page.mouse.down();
    await page.mouse.move(area.x + area.width / 2 + 150, area.y + 14, { steps: 4 });
    await page.mouse.up();
    assert.notDeepEqual(await ticks(), wheeled, 'dragging moves it');
    // When zoomed in, stepping keeps the playhead visible.
    await page.keyboard.press('0');
    for (let i = 0; i < 4; ++i) await page.keyboard.press('+');
    await page.keyboard.press('Home');
    const [left, right, x] = await page.evaluate(() => {
      const box = document.querySelector('canvas.lanes').getBoundingClientRect();
      return [box.left, box.right, document.querySelector('.playline').getBoundingClientRect().left];
    });
    assert.ok(x > left + 80 && x < right, 'the playhead is in sight');
  }));

test('console and events lead to their events', () =>
  open(kTour, {}, async (page) => {
    await page.goto(page.url().replace(/#.*/, '') + '#event=79');
    await until(page, () => document.querySelector('.scrub').value === '79');
    await page.locator('.console-line', { hasText: 'pending: ENOENT' }).click();
    assert.equal(await position(page), await eventOf(page, 'event.text === "pending: ENOENT"'));
    await page.locator('.lower-choice button').last().click();
    await page.locator('.event-line', { hasText: /^60/ }).click();
    assert.equal(await position(page), 60);
    assert.equal(await page.locator('.event-line[aria-current=step] .event-number').textContent(), '60');
  }));

test('steps are announced, politely', () =>
  open(kTimer, {}, async (page) => {
    await page.keyboard.press('ArrowRight');
    await until(page, () => /^Event 2 of 22: /.test(document.querySelector('p.sr-only[aria-live=polite]').textContent));
  }));

test('a hostile scenario stays text', () =>
  open('hostile', {}, async (page) => {
    await control(page, 'last').click();
    assert.equal(await page.evaluate(() => window.injected), undefined);
    assert.match(await page.locator('h1').textContent(), /^<\/script><script>window\.injected = 1/);
    assert.match(await page.locator('.console-text').first().textContent(), /<b>bold<\/b>/);
    assert.equal(await page.locator('#app b:text("bold"), #app img').count(), 0);
    assert.match(await page.title(), /^<\/script>/);
  }));

test('reduced motion: nothing moves by itself', () =>
  open(kTour, { reducedMotion: 'reduce' }, async (page) => {
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((one) => {
          const style = getComputedStyle(one);
          return parseFloat(style.transitionDuration) > 0 || style.animationName !== 'none';
        }).length,
    );
    assert.equal(moving, 0);
  }));

// No element may exceed the window, and no text its button.
async function checkLayout(page) {
  const wrong = await page.evaluate(() => {
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth + 1)
      found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const one of document.querySelectorAll(
      '.controls button, .controls select, .top button, .panel-head button, .panel, .now',
    )) {
      if (!one.offsetParent) continue;
      const box = one.getBoundingClientRect();
      const scrolls = one.closest('.right, .middle') !== null; // these scroll when there is little space
      if (
        box.right > innerWidth + 1 ||
        (box.bottom > innerHeight + 1 && !scrolls) ||
        box.left < -1 ||
        (box.top < -1 && !scrolls)
      )
        found.push(`${one.className} sticks out: ${JSON.stringify(box)}`);
      if (one.matches('button') && one.scrollWidth > one.clientWidth + 1)
        found.push(`${one.className}: its text sticks out`);
    }
    const boxes = [...document.querySelectorAll('.panel, .now, footer, .top')]
      .filter((one) => one.offsetParent)
      .map((one) => [one, one.getBoundingClientRect()]);
    for (const [a, x] of boxes) {
      for (const [b, y] of boxes) {
        if (
          a === b ||
          a.contains(b) ||
          b.contains(a) ||
          a.closest('.right, .middle') !== null ||
          b.closest('.right, .middle') !== null
        )
          continue;
        if (x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1)
          found.push(`${a.className} and ${b.className} overlap`);
      }
    }
    return found;
  });
  assert.deepEqual(wrong, []);
}

async function checkAccess(page, what) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
  const result = await page.evaluate(
    (rules) => window.axe.run(document, { runOnly: rules, resultTypes: ['violations'] }), // no words for what is right
    runOnly,
  );
  const found = result.violations.map(
    (one) =>
      `${what}: ${one.id}: ${one.help}: ${one.nodes
        .slice(0, 3)
        .map((node) => `${node.target} ${node.failureSummary}`)
        .join('; ')}`,
  );
  assert.deepEqual(found, []);
}

test('accessible, light and dark, both languages, help and search (axe)', async () => {
  for (const hash of ['#event=27&theme=light&lang=en', '#event=62&theme=dark&lang=zh']) {
    await open(kTour, { hash, bypassCSP: true }, async (page) => {
      await checkAccess(page, hash);
      await page.keyboard.press('?');
      await checkAccess(page, `${hash} help`);
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await page.locator('.search-input').fill('timer');
      await checkAccess(page, `${hash} search`);
      await page.keyboard.press('Escape');
      await page.locator('.lower-choice button').last().click();
      await checkAccess(page, `${hash} events`);
    });
  }
  await open(kTour, { hash: '#event=27', viewport: kPhone, bypassCSP: true }, (page) => checkAccess(page, 'phone'));
  const sideways = { width: 844, height: 390 };
  await open(kTour, { hash: '#event=27', viewport: sideways, bypassCSP: true }, (page) => checkAccess(page, 'sideways'));
  await open('variables', { hash: '#event=30&theme=dark', bypassCSP: true }, (page) => checkAccess(page, 'variables'));
});

test('a phone: one panel at a time, controls within reach', () =>
  open(kTour, { viewport: kPhone, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }, async (page) => {
    const tabs = page.locator('.tabs button');
    const names = await tabs.evaluateAll((all) => all.map((one, i) => (one.offsetParent ? i : -1)).filter((i) => i >= 0));
    assert.equal(names.length, 8);
    for (const i of names) {
      await tabs.nth(i).tap();
      const name = await tabs.nth(i).getAttribute('aria-controls');
      assert.ok(await page.locator(`.panel.${name}`).isVisible(), name);
      await checkLayout(page);
    }
    await control(page, 'forward').tap();
    assert.equal(await position(page), 2);
    for (const one of await page.locator('.buttons button').all()) {
      const box = await one.boundingBox();
      assert.ok(box.width >= 40 && box.height >= 44, 'large enough for a thumb');
      assert.ok(box.y > kPhone.height * 0.75, 'at the lower edge');
    }
  }));

test('a phone held sideways: tabs at the side, the console beside the panel, controls in one row', async () => {
  for (const viewport of [
    { width: 844, height: 390 },
    { width: 667, height: 375 },
  ]) {
    await open('variables', { viewport, hasTouch: true, isMobile: true }, async (page) => {
      for (const tab of await page.locator('.tabs button').all()) {
        if (!(await tab.isVisible())) continue;
        await tab.tap();
        const name = await tab.getAttribute('aria-controls');
        const panel = await page.locator(`.panel.${name}`).boundingBox();
        assert.ok(panel.height >= 170 && panel.width >= viewport.width * 0.4, `${name}: ${JSON.stringify(panel)}`);
        await checkLayout(page);
      }
      const [left, right, footer] = await page.evaluate(() =>
        ['.buttons', '.speed', 'footer'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()),
      );
      assert.ok(Math.abs(left.top + left.height / 2 - right.top - right.height / 2) < 4, 'one row');
      assert.ok(footer.height < 60, `${footer.height} high`);
    });
  }
});

test('the program’s steps: variables, promises, one after the other', () =>
  open('variables', {}, async (page) => {
    const begin = await eventOf(page, 'event.ev === "callback_begin" && event.name === "first"');
    const rows = () =>
      page
        .locator('.panel.variables .variable')
        .evaluateAll((all) =>
          all.map(
            (one) =>
              `${[...one.children].map((part) => part.textContent).join(' = ')}${one.classList.contains('is-changed') ? '*' : ''}`,
          ),
        );
    await page.evaluate((n) => (location.hash = `#event=${n}`), begin);
    await until(page, (n) => document.querySelector('.scrub').value === String(n), begin);
    assert.deepEqual((await rows()).slice(0, 3), ['n = 0', 'p = Promise pending', 'q = Promise pending']);
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('.now-words').textContent(), 'The function count is called');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('.now-words').textContent(), 'n becomes 2');
    assert.equal(await page.locator('.now-number').textContent(), `event ${begin}.2`);
    assert.deepEqual((await rows()).slice(0, 2), ['by = 2', 'n (changed) = 2*']);
    assert.match(await page.locator('.listing').first().locator('.is-step').first().textContent(), /"add"|"n": "\$by"|\{/);
    await until(page, (n) => location.hash === `#event=${n}.2`, begin);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await page.locator('.now-words').textContent(), 'The function count is called');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await position(page), begin);
    assert.equal(await page.locator('.now-number').textContent(), `event ${begin}`);
    await control(page, 'last').click();
    assert.ok((await rows()).includes("p = fulfilled'done'"), (await rows()).join('; '));
    assert.ok((await rows()).includes('q = rejectedError: too latenobody handles it'), (await rows()).join('; '));
    // A link leads to a step of the program.
    await page.evaluate((n) => (location.hash = `#event=${n}.1`), begin);
    await until(page, () => document.querySelector('.now-words').textContent === 'The function count is called');
  }));

const hasLines = existsSync(join(process.env.LOOPSIM_PAGES, 'lines.html'));

test('a program in JavaScript: its line, and the stack with variables, forwards and back', { skip: !hasLines }, async () => {
  const words = (page) => page.locator('.now-words').textContent();
  const number = (page) => page.locator('.panel.source .line.is-step .line-number').allTextContents();
  await open('lines', {}, async (page) => {
    assert.equal(await page.locator('.listing').count(), 1, 'the program only');
    assert.match(await page.locator('.listing-lines').textContent(), /const seen = \[\];/);
    await page.keyboard.press('ArrowRight');
    assert.equal(await words(page), 'At line 1 of main script');
    assert.deepEqual(await number(page), ['1']);
    while ((await words(page)) !== 'At line 4 of add') await page.keyboard.press('ArrowRight');
    assert.deepEqual(await number(page), ['4']);
    assert.deepEqual(await page.locator('.line.is-body .line-number').allTextContents(), ['13'], 'where it was called');
    assert.deepEqual(await texts(page, '.frame-name'), ['add', 'main script']);
    assert.deepEqual(await texts(page, '.frame-line'), ['line 4', 'line 13']);
    assert.deepEqual(await texts(page, '.frame:first-child .variable dt'), ['name', 'n', 'text (changed)']);
    assert.deepEqual(await texts(page, '.frame:first-child .variable dd'), ["'a'", '1', "'a1'"]);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await words(page), 'At line 3 of add');
    await page.keyboard.press('End');
    assert.equal(await page.locator('.frame').count(), 0);
    await page.locator('.console-line').first().waitFor();
    await checkLayout(page);
  });
  for (const [viewport, look] of [
    [kDesk, 'theme=dark&lang=zh'],
    [kPhone, 'theme=light&lang=en'],
    [kPhone, 'theme=dark&lang=zh'],
  ]) {
    await open('lines', { hash: `#event=1.5&${look}`, viewport, hasTouch: true, bypassCSP: true }, async (page) => {
      const source = page.locator('.tabs .tab-source');
      if (await source.isVisible()) await source.tap();
      for (const panel of ['source', 'stack']) assert.ok(await page.locator(`.panel.${panel}`).isVisible(), panel);
      await checkLayout(page);
      await checkAccess(page, `lines ${viewport.width} ${look}`);
      await screenshot(page, `lines-${viewport.width}-${look.slice(6, 10)}`);
    });
  }
});

test('predict first, by keyboard: what is to come is covered, answers are judged and explained', () =>
  open('variables', {}, async (page) => {
    await page.keyboard.press('q');
    assert.equal(await page.locator('.predict-question').textContent(), 'After main script: which callback begins next?');
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains('predict-question')));
    for (const covered of ['.panel.timeline', '.panel.why', 'footer', '.panel.events', '.line.is-answer'])
      assert.equal(await page.locator(`${covered}:visible`).count(), 0, covered);
    assert.equal(await page.locator('.line.is-answer').count(), 7);
    const names = await texts(page, '.predict-choice .predict-name');
    assert.deepEqual(names, ['reaction', 'first', 'second', 'third']);
    const at = await position(page);
    for (const key of ['ArrowRight', 'End', 'n', '/', '9']) await page.keyboard.press(key);
    assert.equal(await position(page), at, 'no key shows what comes');
    assert.ok(!(await page.locator('dialog.search').isVisible()));
    await page.keyboard.press(String(names.indexOf('second') + 1));
    assert.equal(await page.locator('.predict-verdict').textContent(), 'No: first begins.');
    assert.equal(await position(page), await eventOf(page, 'event.ev === "callback_begin" && event.name === "first"'));
    assert.deepEqual(await texts(page, '.predict-reasons h4'), ['Why first is next', 'When second runs, and why']);
    assert.match(await page.locator('.predict-reasons .sentences').first().textContent(), /due/);
    assert.equal(await page.locator('.predict-reasons button').count(), 0, 'nothing leads away');
    // The right answers from here on: then the score has one mistake.
    for (let more = true; more; ) {
      await page.keyboard.press('Enter'); // the button for the next question has the focus
      more = (await page.locator('.predict-choice[data-choice]').count()) > 0;
      if (!more) break;
      const next = await page.evaluate(() => {
        const events = document
          .getElementById('trace')
          .textContent.trim()
          .split('\n')
          .slice(1)
          .map((line) => JSON.parse(line));
        const here = Number(document.querySelector('.scrub').value);
        return events.find(({ ev, seq }) => ev === 'callback_begin' && seq > here).id;
      });
      await page.locator(`[data-choice="${next}"]`).click();
      assert.match(await page.locator('.predict-verdict').textContent(), /^Right: /);
    }
    const [, right, of] = /^(\d+) of (\d+) right$/.exec(await page.locator('.predict-question').textContent());
    assert.equal(Number(right), Number(of) - 1);
    assert.ok(Number(of) >= 2);
    // What was missed can be looked at; that leaves the questions.
    await page.locator('.predict-choice').click();
    assert.ok(!(await page.locator('.panel.predict').isVisible()));
    assert.equal(await position(page), await eventOf(page, 'event.ev === "callback_begin" && event.name === "first"'));
    assert.ok(await page.locator('.panel.timeline').isVisible());
  }));

test('predict first, by touch and by link, on every screen, without findings of axe', async () => {
  for (const [viewport, look] of [
    [kDesk, 'theme=light&lang=en'],
    [kPhone, 'theme=dark&lang=zh'],
    [{ width: 844, height: 390 }, 'theme=light&lang=zh'],
    [{ width: 667, height: 375 }, 'theme=dark&lang=en'],
  ]) {
    const options = { hash: `#predict&${look}`, viewport, hasTouch: true, bypassCSP: true };
    await open('variables', options, async (page) => {
      const shot = (what) => screenshot(page, `predict-${what}-${viewport.width}-${look.slice(6, 10)}`);
      assert.ok(await page.locator('.panel.predict').isVisible());
      await until(page, () => /&predict/.test(location.hash));
      await checkLayout(page);
      await checkAccess(page, `predict ${viewport.width}`);
      await shot('question');
      for (const one of await page.locator('.predict-choice').all())
        assert.ok((await one.boundingBox()).height >= 40, 'large enough for a thumb');
      await page.locator('.predict-choice').last().tap();
      await checkLayout(page);
      await checkAccess(page, `predict ${viewport.width}, answered`);
      await shot('answer');
      await control(page, 'predict').tap();
      assert.ok(!(await page.locator('.panel.predict').isVisible()));
      await until(page, () => !/predict/.test(location.hash));
    });
  }
});

test('a run without a choice says so', () =>
  open(kTimer, { hash: '#predict' }, async (page) => {
    const question = await page.locator('.predict-question').textContent();
    assert.match(question, /Nothing to predict|which callback/);
  }));

test('nothing overlaps or sticks out on any screen; screenshots', async () => {
  const screens = {
    laptop: { width: 1366, height: 768 },
    desk: kDesk,
    projector: { width: 1920, height: 1080 },
    tablet: { width: 900, height: 1100 },
    phone: kPhone,
    sideways: { width: 844, height: 390 },
    smallSideways: { width: 667, height: 375 },
  };
  for (const name of [
    kTimer,
    kTour,
    'lessons-thread-pool-six-on-four',
    'lessons-echo-server',
    'lessons-uncaught-exception',
    'studies-container-quota',
    'variables',
  ]) {
    for (const [screen, viewport] of Object.entries(screens)) {
      for (const look of ['theme=light&lang=en', 'theme=dark&lang=zh']) {
        await open(name, { hash: `#event=27&${look}`, viewport }, async (page) => {
          await checkLayout(page);
          const canvas = await page.locator('canvas.lanes').evaluate((one) => {
            const pixels = one.getContext('2d').getImageData(0, 0, one.width, one.height).data;
            return one.width === 0 || new Set(new Uint32Array(pixels.buffer)).size;
          });
          if (!['phone', 'sideways', 'smallSideways'].includes(screen)) assert.ok(canvas > 4, 'something is drawn');
          await screenshot(page, `${name}-${screen}-${look.slice(6, 10)}`);
        });
      }
    }
  }
});
