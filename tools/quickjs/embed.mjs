// Writes JavaScript files as C++, without what is only for readers: their comments, their indentation and the names of their variables
// would be a twentieth of what a browser fetches.
//
//   node embed.mjs WORK FUNCTION OUT.cpp ROOT... -- FILE...
//
// WORK: the folder with node_modules, for acorn. FUNCTION: what returns them, in this order. Their names are those below that one of the
// ROOTS which they are in. The first is a script, and each other one the body of a function (sim/quickjs/loading). All that a program can
// see stays: bundlers rename a function whose name is also another's.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { shortenNames } from './shorten_names.mjs';

const kInLine = 32;

const words = process.argv.slice(2);
const files = words.splice(words.indexOf('--')).slice(1);
const [work, name, out, ...roots] = words;
if (!roots.length || !files.length) throw new Error('usage: embed.mjs WORK FUNCTION OUT.cpp ROOT... -- FILE...');
const acorn = createRequire(join(resolve(work), 'package.json'))('acorn');

function nameOf(file) {
  const root = roots.find((folder) => !relative(folder, file).startsWith('..'));
  if (!root) throw new Error(`${file} is in none of ${roots.join(', ')}`);
  return relative(root, file).replace(/\.js$/, '');
}

// Two tokens may stand together if one of them is a mark that is part of no other one, or only one of them is a word or a number. A
// number takes a point that follows it, and a regular expression a word.
const alone = (character) => '(){}[],;:'.includes(character);
const ofWord = (character) => /[\w$#\u0080-\uffff]/.test(character);
function mayTouch(last, next) {
  return alone(last) || alone(next) || (ofWord(last) !== ofWord(next) && !'./'.includes(last) && next !== '.');
}

// Where no statement can end, so that the end of a line says nothing: none ends behind these marks but a semicolon, which ends it in any
// case, and before those one ends in any case.
function isInStatement(last, next) {
  return ['{', '(', '[', ',', ';', '${'].includes(last) || ['}', ')', ']', ',', ';'].includes(next);
}

function parsed(source, file) {
  const tokens = [];
  const options = { ecmaVersion: 'latest', allowReturnOutsideFunction: true, onToken: tokens };
  try {
    return { tokens, tree: acorn.parse(source, options) };
  } catch (error) {
    throw new Error(`${file}: ${error.message}`);
  }
}

// Lines end where they ended, since that may end a statement.
function bytesOf(file, isBody) {
  const written = readFileSync(file, 'utf8');
  const source = shortenNames(written, parsed(written, file).tree, isBody);
  let text = '';
  let end = 0;
  let last = '';
  for (const token of parsed(source, file).tokens) {
    if (token.start === token.end && token.type !== acorn.tokTypes.template) continue; // the end of the file
    const between = source.slice(end, token.start);
    const next = source.slice(token.start, token.end);
    if (/[\n\r\u2028\u2029]/.test(between) && !isInStatement(last, next)) text += '\n';
    else if (between !== '' && !mayTouch(source[end - 1], source[token.start])) text += ' ';
    last = next;
    text += source.slice(token.start, token.end);
    end = token.end;
  }
  return Buffer.from(text);
}

let arrays = '';
let rows = '';
files.forEach((file, number) => {
  const bytes = bytesOf(file, number > 0);
  arrays += `constexpr unsigned char k${number}[] = {\n`;
  for (let at = 0; at < bytes.length; at += kInLine) arrays += `${[...bytes.subarray(at, at + kInLine)].join(',')},\n`;
  arrays += '0};\n';
  rows += `    LibraryFile{"${nameOf(file)}", {reinterpret_cast<const char*>(k${number}), sizeof k${number} - 1}},\n`;
});
writeFileSync(out, `// Made by tools/quickjs/embed.mjs.
#include "sim/quickjs/library_asset.hpp"

namespace loopsim::quickjs {
namespace {
${arrays}}  // namespace

std::span<const LibraryFile> ${name}() {
  static const LibraryFile kFiles[] = {
${rows}  };
  return kFiles;
}

}  // namespace loopsim::quickjs
`);
