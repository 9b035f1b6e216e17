// Puts into the playground what other parts of the build have made: the engine, the page for a run that is saved, the
// scenarios of the gallery, and the lessons of the tour.
//
//   node fill_play.mjs PLAY.html OUT.html [--engine loopsim.wasm] [--shell page.html] [--gallery scenarios/]
//     [--schema scenarios/scenario.schema.json] [--tour docs/tour/]
//
// A page that is opened from a disk can fetch nothing. The engine, which is most of it, is packed by xz, and is base64; what is
// text stays text: the page is compressed on its way, and the page of a run has much that stands in this one, too.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const kLeftOut = new Set(['bench']); // long on purpose

// By path; the gallery takes out of the programs what they are about (src/play/gallery.ts).
function galleryOf(root) {
  const paths = readdirSync(root, { recursive: true })
    .filter((path) => /\.(json|m?js)$/.test(path) && !path.endsWith('.schema.json') && !kLeftOut.has(dirname(path)))
    .sort();
  return JSON.stringify(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

// A lesson of docs/tour: its question, the answer, and what to remember, in both languages. The program is the one of which it
// has a drawing. What is between, and what follows, the playground shows itself.
function lessonTexts(path) {
  const text = readFileSync(path, 'utf8').replace(/^<!--.*-->\n/gm, '');
  const title = /^# \d+\. (.*)$/m.exec(text)?.[1];
  const [, ...sections] = text.split(/^## .*\n/m).map((one) => one.trim());
  if (!title || sections.length < 5)
    throw new Error(`${path} is no lesson of the tour: it needs a title, a question, a picture, an answer, and what to remember`);
  // The last paragraph of the question sends to the answer.
  const question = sections[0].slice(0, sections[0].lastIndexOf('\n\n'));
  return { title, question, answer: sections[2], remember: sections.at(-2) };
}

function tourOf(root) {
  const paths = readdirSync(root).filter((path) => /^\d\d-.*(?<!\.zh)\.md$/.test(path)).sort();
  return JSON.stringify(
    paths.map((path) => {
      const [, entry] = /^<!-- drawing of: loopsim run scenarios\/(\S+)/m.exec(readFileSync(join(root, path), 'utf8')) ?? [];
      if (!entry) throw new Error(`${path} has no drawing of a scenario`);
      return { entry, texts: { en: lessonTexts(join(root, path)), zh: lessonTexts(join(root, path.replace(/\.md$/, '.zh.md'))) } };
    }),
  );
}

// Ends no element, and is no comment; engine_module.ts undoes it.
function plain(text) {
  if (text.includes('\uE000')) throw new Error('a text has the character that stands for what would end it');
  return text.replace(/<(?=[/!])/g, '\uE000');
}

// One thread and no time: the same file gives the same bytes. The filter suits WebAssembly, which has no alignment.
function xz(program) {
  // Where the build has made it: the same program with the playground's commands alone.
  const small = program.replace(/loopsim\.wasm$/, 'loopsim_page.wasm');
  const path = existsSync(small) ? small : program;
  const words = ['--stdout', '--keep', '--threads=1', '--check=crc32', '--lzma2=preset=9e,lc=4,pb=0', path];
  try {
    return execFileSync('xz', words, { maxBuffer: 1 << 28 }).toString('base64');
  } catch (error) {
    throw new Error(`xz cannot pack the engine (Debian: apt-get install xz-utils): ${error.message}`);
  }
}

const [from, to, ...options] = process.argv.slice(2);
if (!to || options.length % 2 !== 0)
  throw new Error('usage: fill_play.mjs PLAY.html OUT.html [--engine FILE] [--shell FILE] [--gallery DIR] [--schema FILE] [--tour DIR]');
const given = new Map();
for (let i = 0; i < options.length; i += 2) given.set(options[i].replace(/^--/, ''), options[i + 1]);
let html = readFileSync(from, 'utf8');
for (const [what, read] of [
  ['engine', xz],
  ['shell', (path) => plain(readFileSync(path, 'utf8'))],
  ['gallery', (path) => plain(galleryOf(path))],
  ['schema', (path) => plain(JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))))],
  ['tour', (path) => plain(tourOf(path))],
]) {
  const mark = `<!--loopsim:${what}-->`;
  if (html.split(mark).length !== 2) throw new Error(`${from} has no place for the ${what}`);
  const path = given.get(what);
  html = html.replace(mark, () => (path ? read(path) : ''));
}
writeFileSync(to, html);
