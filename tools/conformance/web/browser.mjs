// Runs programs in a real browser, each in a document of its own, and prints what they printed.
//
//     LOOPSIM_PACKAGES=... LOOPSIM_BROWSER=chromium LOOPSIM_CHROMIUM=... node browser.mjs < PROGRAMS
//
// The environment is that of tests/page/harness.mjs; judge.py sets it. Read are JSON lines, written one JSON line for each:
//
//     {"id": 1, "source": "console.log('a')", "html": "<div id=outer></div>", "inputs": [{"at": 20, "click": "#outer"}], "quiet": 60}
//     {"id": 1, "output": ["a"], "errors": []}
//
// `quiet` is how long nothing must be printed, in ms, until a program counts as over; without it, it follows from the greatest delay that
// stands in the source. First of all a line {"version": ...} is printed.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const { LOOPSIM_PACKAGES: packages, LOOPSIM_BROWSER: name = 'chromium', LOOPSIM_CHROMIUM: chromiumPath, LOOPSIM_FIREFOX: firefoxPath } =
  process.env;
const { chromium, firefox } = createRequire(join(packages, 'x.js'))('playwright-core');

const kQuiet = 60; // ms
const kLongest = 3000; // ms, of a program
const kPatience = 10000; // ms, for an answer of the page

// ---- in the page -----------------------------------------------------------------------------------------------------------------------

// Prepares a document before its program runs: what the program prints, and what nothing catches, goes to one list, in order.
function prepare() {
  const lines = [];
  const errors = [];
  const now = performance.now.bind(performance);
  const stringify = JSON.stringify;
  let last = now();
  const text = (value) => {
    if (typeof value === 'string') return value;
    if (Object.is(value, -0)) return '-0';
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value !== 'object' || value === null || value instanceof Error) return String(value);
    try {
      return stringify(value);
    } catch {
      return String(value);
    }
  };
  window.loopsim = {
    cpu(ms) {
      const end = now() + ms;
      while (now() < end);
    },
  };
  const waiting = [];
  const report = () => {
    while (waiting.length > 0 && waiting[0].event.eventPhase === 0) {
      const { event, line } = waiting.shift();
      if (event.defaultPrevented) continue;
      last = now();
      lines.push(...line.split('\n'));
      errors.push(line);
    }
  };
  const push = (line) => {
    report();
    last = now();
    lines.push(...line.split('\n'));
  };
  for (const method of ['log', 'info', 'warn', 'error', 'debug']) console[method] = (...values) => push(values.map(text).join(' '));

  // A browser reports an error when all listeners of its event have been called, unless one has prevented that. What is noted in the
  // first listener is therefore put into the list when the event's dispatch is over, which is before anything else is printed.
  for (const [type, describe] of [
    ['error', ({ error }) => `Uncaught ${String(error)}`],
    ['unhandledrejection', ({ reason }) => `Uncaught (in promise) ${String(reason)}`],
  ]) {
    window.addEventListener(type, (event) => {
      if (event.isTrusted && event.target === window) waiting.push({ event, line: describe(event) }); // not one that a script dispatches
    });
  }

  const frame = window.requestAnimationFrame.bind(window);
  window[Symbol.for('judge')] = {
    state: () => {
      report();
      return { count: lines.length, since: now() - last };
    },
    // Two frames have been shown when the promise is fulfilled: callbacks that wait for one have been called.
    frames: () => new Promise((resolve) => frame(() => frame(() => resolve(lines.length)))),
    results: () => {
      report();
      return { output: lines, errors };
    },
    // Appends the program as a script element with an address: it runs in a task of its own, with no other script on the stack, and not
    // in a timer's task, whose nesting level it would get.
    start: (url) =>
      new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = url;
        script.onload = () => {
          last = now();
          resolve();
        };
        script.onerror = () => reject(new Error('the script could not be loaded'));
        document.head.append(script);
      }),
  };
}

// What can be clicked needs a size.
const kStyle = 'body div, body button, body p { min-width: 40px; min-height: 20px; padding: 10px; } body > div { width: 200px; }';
const documentOf = (html) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>program</title>` +
  `<style>${kStyle}</style><script>(${prepare})();</script></head><body>${html}</body></html>`;

// ---- the programs ----------------------------------------------------------------------------------------------------------------------

const programs = new Map(); // address -> [type, text]
let answers = {}; // of the program that runs: "/path" or "POST /path" -> { text, status, takes, headers }
// http://localhost is a secure context, as https is.
const server = createServer(async (request, response) => {
  const path = request.url.replace(/\?.*/, '');
  const answer = answers[request.method === 'GET' ? path : `${request.method} ${path}`];
  if (answer) {
    await sleep(answer.takes ?? 0);
    if (answer.status === 0) {
      response.destroy();
      return;
    }
    response.writeHead(answer.status ?? 200, { 'content-type': 'text/plain', 'cache-control': 'no-store', ...answer.headers });
    response.end(answer.text ?? '');
    return;
  }
  const [type, body] = programs.get(path) ?? ['text/plain', ''];
  response.writeHead(programs.has(path) ? 200 : 404, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
  response.end(body);
});

function launch() {
  if (name !== 'firefox') return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  return firefox.launch({
    executablePath: firefoxPath,
    channel: 'moz-firefox',
    // performance.now() is not rounded to whole milliseconds, so that programs can compare times.
    firefoxUserPrefs: { 'privacy.reduceTimerPrecision': false },
  });
}

async function patiently(promise) {
  const timeout = new AbortController();
  const tooLong = sleep(kPatience, null, { signal: timeout.signal }).then(() => {
    throw new Error('the page does not answer');
  });
  tooLong.catch(() => {}); // once it was aborted
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    timeout.abort();
  }
}

// The greatest whole number that ends the arguments of a call or is a property's value: a delay, mostly.
const greatestDelay = (source) =>
  Math.max(0, ...[...source.matchAll(/[,:]\s*(\d{1,4})\s*[)},]/g)].map(([, digits]) => Number(digits)).filter((ms) => ms < kLongest));

let served = 0;
async function run(page, { source, html = '', inputs = [], query = '', answers: given = {}, quiet = greatestDelay(source) + kQuiet }) {
  const number = ++served;
  answers = given;
  const [documentUrl, scriptUrl] = [`/${number}.html`, `/${number}.js`];
  programs.set(documentUrl, ['text/html', documentOf(html)]);
  programs.set(scriptUrl, ['text/javascript', source]);
  try {
    await page.goto(`http://localhost:${server.address().port}${documentUrl}${query}`, { waitUntil: 'load' });
    const ask = (question, argument) => patiently(page.evaluate(question, argument));
    await ask(() => window[Symbol.for('judge')].frames());
    await ask((url) => window[Symbol.for('judge')].start(url), scriptUrl);
    const begin = performance.now();
    for (const { at, click, keydown } of [...inputs].sort((a, b) => a.at - b.at)) {
      await sleep(Math.max(0, begin + at - performance.now()));
      if (keydown !== undefined) {
        if (keydown !== '') await ask((selector) => document.querySelector(selector).focus(), keydown);
        await patiently(page.keyboard.press('a'));
        continue;
      }
      const place = await ask((selector) => {
        const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      }, click);
      await patiently(page.mouse.click(place.x, place.y));
    }
    for (;;) {
      const { count, since } = await ask(() => window[Symbol.for('judge')].state());
      if (performance.now() - begin > kLongest) break;
      if (since < quiet) {
        await sleep(Math.min(quiet - since, 200) + 1);
        continue;
      }
      // On a busy machine frames may be late.
      if ((await ask(() => window[Symbol.for('judge')].frames())) === count) break;
    }
    return await ask(() => window[Symbol.for('judge')].results());
  } finally {
    programs.delete(documentUrl);
    programs.delete(scriptUrl);
  }
}

await new Promise((resolve) => server.listen(0, 'localhost', resolve));
let browser = await launch();
// Debian's Firefox does not know how to emulate these.
const kAsItIs = { colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null };
const kContext = { viewport: { width: 800, height: 600 }, ...(name === 'firefox' && kAsItIs) };
const open = async () => (await browser.newContext(kContext)).newPage();
process.stdout.write(`${JSON.stringify({ version: `${name} ${browser.version()}` })}\n`);
let page = await open();
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const program = JSON.parse(line);
  let result;
  try {
    result = await run(page, program);
  } catch (error) {
    // The program may compute without end: the next one gets a new browser.
    result = { output: [], errors: [], failed: String(error.message).split('\n')[0] };
    await Promise.race([browser.close(), sleep(2000)]);
    browser = await launch();
    page = await open();
  }
  process.stdout.write(`${JSON.stringify({ id: program.id, ...result })}\n`);
}
await browser.close();
server.close();
