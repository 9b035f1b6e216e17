// How deep a program may recurse in the playground: its engine in a worker of the browser, whose own stack is small. On every way the
// program gets a RangeError that it catches, and goes on, before that stack ends; at the same depth in all browsers.
//
//   node --test depth.test.mjs      tests/page/page.py depth, depth-firefox set the environment
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { open } from './harness.mjs';

const { LOOPSIM_ENGINE: engine, LOOPSIM_PAGES: folder } = process.env;

// name: [the calls that there are at least, a function that makes the one that recurses; `c` counts a call]
const kWays = {
  'a call': [540, '(c) => { const f = (x) => { c(); return f(x + 1); }; return f; }'],
  map: [175, '(c) => { const f = () => { c(); [1].map(f); }; return f; }'],
  emit: [
    95,
    "(c) => { const e = new (require('events'))(); const f = () => { c(); e.emit('x', 1); }; e.on('x', f); return f; }",
  ],
  sort: [95, '(c) => { const f = () => { c(); [1, 2].sort(f); }; return f; }'],
  'a getter': [285, '(c) => { const o = { get x() { c(); return o.x; } }; return () => o.x; }'],
  replace: [90, "(c) => { const f = () => { c(); 'a'.replace(/a/, f); }; return f; }"],
  eval: [105, "(c) => { globalThis.f = () => { c(); (0, eval)('f()'); }; return f; }"],
  'a method of a tree': [
    480,
    '(c) => { class Tree { kids = [this]; walk() { c(); for (const kid of this.kids) kid.walk(); } } return () => new Tree().walk(); }',
  ],
  new: [300, '(c) => { class F { constructor() { c(); new F(); } } return () => new F(); }'],
  'a proxy': [195, '(c) => { const p = new Proxy({}, { get() { c(); return p.x; } }); return () => p.x; }'],
  toString: [285, "(c) => { const o = { toString() { c(); return '' + o; } }; return () => '' + o; }"],
  toJSON: [
    110,
    '(c) => { const o = { toJSON() { c(); return JSON.stringify(o); } }; return () => JSON.stringify(o); }',
  ],
  generators: [150, '(c) => { function* g() { c(); yield* g(); } return () => g().next(); }'],
  'console.log': [
    22,
    "(c) => { const o = { [Symbol.for('nodejs.util.inspect.custom')]() { c(); console.log(o); } }; return () => console.log(o); }",
  ],
};
// name: what makes something of `n` levels and goes through it.
const kNested = {
  'JSON.parse': "(n) => JSON.parse('['.repeat(n) + ']'.repeat(n))",
  'JSON.stringify': '(n) => { let a = []; for (let i = 0; i < n; ++i) a = [a]; JSON.stringify(a); }',
  'arrays in the source': "(n) => eval('['.repeat(n) + ']'.repeat(n))",
  'brackets in the source': "(n) => eval('('.repeat(n) + '1' + ')'.repeat(n))",
  'functions in the source': "(n) => eval('(function(){'.repeat(n) + '})'.repeat(n))",
  'signs in the source': "(n) => eval('- '.repeat(n) + '1')",
  'blocks in the source': "(n) => eval('{'.repeat(n) + '}'.repeat(n))",
  'templates in the source': "(n) => eval('`${'.repeat(n) + '1' + '}`'.repeat(n))",
  'a regular expression': "(n) => new RegExp('(?:'.repeat(n) + 'a' + ')'.repeat(n))",
  flat: '(n) => { let a = []; for (let i = 0; i < n; ++i) a = [a]; a.flat(Infinity); }',
  join: '(n) => { let a = []; for (let i = 0; i < n; ++i) a = [a]; a.join(); }',
  'proxies of a function': '(n) => { let a = () => 1; for (let i = 0; i < n; ++i) a = new Proxy(a, {}); a(); }',
  proxies: '(n) => { let a = {}; for (let i = 0; i < n; ++i) a = new Proxy(a, {}); a.x; }',
  'proxies that are set': '(n) => { let a = {}; for (let i = 0; i < n; ++i) a = new Proxy(a, {}); a.x = 1; }',
  structuredClone: '(n) => { let a = []; for (let i = 0; i < n; ++i) a = [a]; structuredClone(a); }',
};

const deepest = (way) => `let n = 0;
const go = (${way})(() => { ++n; });
try { go(); } catch (error) { console.log(n, error.name, error.message); }
setTimeout(() => console.log('goes on'), 1);
`;
const deeper = (nested) => `const go = ${nested};
for (let n = 16, error; !error; n *= 2) {
  try { go(n); } catch (one) { error = one; }
  if (error) console.log(n, error.name);
  else if (n > 1e6) console.log(n, 'no end');
}
setTimeout(() => console.log('goes on'), 1);
`;

// What each program prints, or what the engine has thrown; each in a worker of its own.
async function outputs(sources, words = []) {
  const bundle = readFileSync(join(folder, 'host.js'), 'utf8');
  const said = [];
  await open('host', { hasWorkers: true }, async (page) => {
    await page.evaluate(
      async ([code, base64]) => {
        const answering = `${code}
          onmessage = ({ data: [module, job] }) => {
            engine.take(module);
            try { postMessage(engine.runAll([job])[0]); } catch (error) { postMessage(String(error)); }
          };`;
        const url = URL.createObjectURL(new Blob([answering], { type: 'text/javascript' }));
        const module = await window.engine.compile(base64);
        window.ask = (job) =>
          new Promise((resolve) => {
            const worker = new Worker(url);
            worker.onmessage = ({ data }) => {
              worker.terminate();
              resolve(data);
            };
            worker.postMessage([module, job]);
          });
      },
      [bundle, readFileSync(engine).toString('base64')],
    );
    for (const source of sources) {
      const job = { words: ['run', 'deep.js', '-f', 'jsonl', '--no-warnings', ...words], files: { 'deep.js': source } };
      const answer = await page.evaluate((one) => window.ask(one), job);
      const texts = answer.split('\n').filter((line) => line.includes('"ev":"log"')).map((line) => JSON.parse(line).text);
      said.push(texts.length ? texts.join('\n') : answer.slice(0, 500));
    }
  });
  return said;
}

async function holds(ways, words) {
  const said = await outputs(Object.values(ways).map(([, way]) => deepest(way)), words);
  for (const [i, [name, [least]]] of Object.entries(ways).entries()) {
    const match = /^(\d+) RangeError Maximum call stack size exceeded\ngoes on$/.exec(said[i]);
    assert.ok(match, `${name}: ${said[i]}`);
    console.log(`${name}: ${match[1]} calls`);
    assert.ok(Number(match[1]) >= least, `${name}: ${match[1]} calls, and there were ${least}`);
  }
}

test('a recursion is a RangeError of the program', () => holds(kWays));

test('and so it is in the script of a page', () => {
  const { 'a call': call, map } = kWays;
  return holds({ call, map }, ['-r', 'chrome']);
});

test('what is nested is an error of the program', async () => {
  const said = await outputs(Object.values(kNested).map(deeper));
  for (const [i, name] of Object.keys(kNested).entries()) {
    assert.match(said[i], /^\d+ (RangeError|SyntaxError|InternalError)\ngoes on$/, name);
    console.log(`${name}: ${said[i].split('\n')[0]}`);
  }
});
