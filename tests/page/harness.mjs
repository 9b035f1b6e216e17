// What the tests of the page in headless Chromium share: the browser, opening a page, asking it.
// tests/page/page.py sets the environment.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';

const {
  LOOPSIM_PACKAGES: packages,
  LOOPSIM_PAGES: folder,
  LOOPSIM_CHROMIUM: executablePath,
} = process.env;
export const require = createRequire(join(packages, 'x.js'));
const { chromium } = require('playwright-core');

export const kDesk = { width: 1440, height: 900 };

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
after(() => browser?.close());

// Opens a page and calls `visit`. Fails on any request, console message or error of the page. `prepare` is called before
// the page is opened; a page that has workers of its own makes them of its own text, which are no requests.
export async function open(name, { hash = '', viewport = kDesk, prepare, hasWorkers = false, ...options } = {}, visit) {
  const context = await browser.newContext({ viewport, locale: 'en-GB', ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const isOwn = request.url().startsWith('data:') || (hasWorkers && request.url().startsWith('blob:'));
    if (!isOwn && !request.isNavigationRequest())
      complaints.push(`request: ${request.url()}`);
  });
  try {
    await prepare?.(page);
    await page.goto(pathToFileURL(join(folder, `${name}.html`)) + hash);
    await page.waitForSelector('html[data-ready=yes]', { timeout: 60000 });
    await visit(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}
export const position = (page) => page.locator('.scrub').inputValue().then(Number);
// Polls until `question` is true in the page; Playwright's waitForFunction() uses eval, which the page's CSP forbids.
export async function until(page, question, argument = null) {
  for (let i = 0; i < 300; ++i) {
    if (await page.evaluate(question, argument)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`never true: ${question}`);
}
export const control = (page, name) => page.locator(`[data-control=${name}]:visible`);
export const texts = (page, selector) => page.locator(selector).allTextContents();
export const eventOf = (page, test_) =>
  page.evaluate((source) => {
    const events = document
      .getElementById('trace')
      .textContent.trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line));
    return events.find(new Function('event', `return ${source}`))?.seq;
  }, test_);
export const lastEvent = (page) => page.locator('.scrub').getAttribute('max').then(Number);
