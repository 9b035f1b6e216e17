// The engine of the playground in a browser: its traces have the bytes of the native program's. All scenarios and programs of
// scenarios/, each in every version of Node, or with LOOPSIM_EVERY=N in each N-th, others for the next; those for libuv alone in
// every version of libuv, pages in every browser, models of I/O once.
//
//   node --test traces.test.mjs      tests/page/page.py traces, traces-firefox set the environment
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { open } from './harness.mjs';

const { LOOPSIM_ENGINE: engine, LOOPSIM_EVERY: every, LOOPSIM_PROGRAM: program, LOOPSIM_SCENARIOS: root } = process.env;
const kLeftOut = new Set(['bench']); // long on purpose
const kTogether = 2; // native runs at once

const isProgram = (path) => /\.(json|m?js)$/.test(path) && !path.endsWith('.schema.json') && !kLeftOut.has(dirname(path));
const paths = readdirSync(root, { recursive: true }).filter(isProgram).sort();
const textsOf = (folder) =>
  Object.fromEntries(
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ name }) => [name, readFileSync(join(root, folder, name), 'utf8')]),
  );

// Each file with the versions in which it is run.
function plan(ofNode, others) {
  return paths.map((path, i) => ({
    folder: dirname(path),
    jobs: (others[dirname(path)] ?? ofNode)
      .filter((_, k, all) => (i + k) % Math.min(Number(every), all.length) === 0)
      .map((version) => ['run', basename(path), '-f', 'none', '--no-warnings', '-r', version]),
  }));
}

async function natively({ folder, jobs }) {
  const said = [];
  for (const words of jobs) {
    const run = await promisify(execFile)(program, words, { cwd: join(root, folder) }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error) => error,
    );
    said.push(`${run.code} ${run.stdout}${run.stderr}`);
  }
  return said;
}

test('the same bytes as the native program', async () => {
  const { stdout } = await promisify(execFile)(program, ['list', 'profiles']);
  const [ofNode, libuv] = [stdout.match(/^node-\d+/gm), stdout.match(/^libuv-[\d.]+/gm)];
  const browser = stdout.match(/^(?:chrome|firefox)\S*/gm);
  assert.ok(ofNode.length > 10 && libuv.length > 10 && browser.length > 2, stdout);
  const planned = plan(ofNode, { libuv, browser, io: ['io'] });
  const native = [];
  const walk = planned.entries();
  const walker = async () => {
    for (const [i, one] of walk) native[i] = await natively(one);
  };
  await Promise.all(Array.from({ length: kTogether }, walker));

  await open('host', {}, async (page) => {
    const base64 = readFileSync(engine).toString('base64');
    await page.evaluate(async (text) => window.engine.take(await window.engine.compile(text)), base64);
    let [runs, withTrace] = [0, new Set()];
    for (const [i, { folder, jobs }] of planned.entries()) {
      const files = textsOf(folder);
      const said = await page.evaluate((all) => window.engine.runAll(all), jobs.map((words) => ({ words, files })));
      assert.deepEqual(said, native[i], paths[i]);
      runs += said.length;
      for (const one of said) withTrace.add(/ trace ([0-9a-f]{16})$/m.exec(one)?.[1]);
    }
    console.log(`${runs} runs of ${paths.length} programs, ${withTrace.size} different traces`);
    assert.ok(withTrace.size > runs / 4, 'the same for all would prove nothing');
  });
});
