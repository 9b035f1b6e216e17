// What the tests of the page in headless Chromium and Firefox share: the browser, opening a page, asking it.
// tests/page/page.py sets the environment.
//
// Firefox is Debian's own, not a build of Playwright's: it is spoken to by WebDriver BiDi.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';

const {
  LOOPSIM_PACKAGES: packages,
  LOOPSIM_PAGES: folder,
  LOOPSIM_BROWSER: name = 'chromium',
  LOOPSIM_CHROMIUM: chromiumPath,
  LOOPSIM_FIREFOX: firefoxPath,
  LOOPSIM_SHOTS: shots,
} = process.env;
export const require = createRequire(join(packages, 'x.js'));
const { chromium, firefox } = require('playwright-core');
export const isFirefox = name === 'firefox';

export const kDesk = { width: 1440, height: 900 };

// In Firefox the theme is a preference of the whole browser, and WebDriver does not emulate it: one browser for each.
const browsers = new Map();
const kPreferences = { dark: 0, light: 1 };
function launch(scheme) {
  if (!isFirefox) return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  return firefox.launch({
    executablePath: firefoxPath,
    channel: 'moz-firefox',
    firefoxUserPrefs: { 'layout.css.prefers-color-scheme.content-override': kPreferences[scheme] },
  });
}
async function browserFor(scheme) {
  const key = isFirefox ? scheme : '';
  if (!browsers.has(key)) browsers.set(key, await launch(scheme));
  return browsers.get(key);
}
before(() => browserFor('light'));
after(async () => {
  for (const browser of browsers.values()) await browser.close();
});

// Firefox knows neither permissions for the clipboard, nor the emulation of a touch screen; what is asked for of the theme it
// has from its preferences.
function optionsFor({ permissions, colorScheme, hasTouch, isMobile, ...options }) {
  if (isFirefox) return { ...options, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null };
  return { ...options, ...(permissions && { permissions }), ...(colorScheme && { colorScheme }), hasTouch, isMobile };
}

// Opens a page and calls `visit`. Fails on any request, console message or error of the page. `prepare` is called before
// the page is opened; a page that has workers of its own makes them of its own text, which are no requests.
export async function open(name, { hash = '', viewport = kDesk, prepare, hasWorkers = false, ...options } = {}, visit) {
  const browser = await browserFor(options.colorScheme ?? 'light');
  const context = await browser.newContext(optionsFor({ viewport, locale: 'en-GB', ...options }));
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
  for (let i = 0; i < 900; ++i) {
    if (await page.evaluate(question, argument)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`never true: ${question}`);
}
// Text as if it were pasted. By WebDriver it would be typed, and the editor closes the brackets that are typed.
export const insert = (page, text) =>
  isFirefox
    ? page.evaluate((pasted) => {
        // `data` and `dataType` are Firefox's own.
        const event = new ClipboardEvent('paste', { data: pasted, dataType: 'text/plain', bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(event);
      }, text)
    : page.keyboard.insertText(text);
// Only where somebody keeps it (--shots): no test looks at one, and each takes some tenths of a second.
export async function screenshot(page, file) {
  if (shots) await page.screenshot({ path: join(shots, `${file}.png`) });
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
