// Puts into the playground what other parts of the build have made: the engine, and the page for a run that is saved.
//
//   node fill_play.mjs PLAY.html OUT.html [--engine loopsim.wasm] [--shell page.html]
//
// Both are compressed, as base64: a page that is opened from a disk can fetch nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [from, to, ...options] = process.argv.slice(2);
if (!to || options.length % 2 !== 0)
  throw new Error('usage: fill_play.mjs PLAY.html OUT.html [--engine FILE] [--shell FILE]');
let html = readFileSync(from, 'utf8');
const given = new Map();
for (let i = 0; i < options.length; i += 2) given.set(options[i].replace(/^--/, ''), options[i + 1]);
for (const what of ['engine', 'shell']) {
  const mark = `<!--loopsim:${what}-->`;
  if (html.split(mark).length !== 2) throw new Error(`${from} has no place for the ${what}`);
  const file = given.get(what);
  html = html.replace(mark, () => (file ? gzipSync(readFileSync(file), { level: 9 }).toString('base64') : ''));
}
writeFileSync(to, html);
