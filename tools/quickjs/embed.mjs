// Writes JavaScript files as C++, without what is only for readers: their comments and spaces would be a seventh of what a browser fetches.
//
//   node embed.mjs WORK FUNCTION OUT.cpp ROOT... -- FILE...
//
// WORK: the folder with node_modules, for esbuild. FUNCTION: what returns them, in this order. Their names are those below that one of the
// ROOTS which they are in. Names and the program itself stay as they are, whatever their lines.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';

const kInLine = 32;

const words = process.argv.slice(2);
const files = words.splice(words.indexOf('--')).slice(1);
const [work, name, out, ...roots] = words;
if (!roots.length || !files.length) throw new Error('usage: embed.mjs WORK FUNCTION OUT.cpp ROOT... -- FILE...');
const esbuild = createRequire(join(resolve(work), 'package.json'))('esbuild');

function nameOf(file) {
  const root = roots.find((folder) => !relative(folder, file).startsWith('..'));
  if (!root) throw new Error(`${file} is in none of ${roots.join(', ')}`);
  return relative(root, file).replace(/\.js$/, '');
}

function bytesOf(file) {
  const { code, warnings } = esbuild.transformSync(readFileSync(file, 'utf8'), {
    sourcefile: file, minifyWhitespace: true, charset: 'utf8', target: 'esnext', legalComments: 'none', // they are in THIRD_PARTY.md
  });
  if (warnings.length) throw new Error(esbuild.formatMessagesSync(warnings, { kind: 'warning' }).join('\n'));
  return Buffer.from(code);
}

let arrays = '';
let rows = '';
files.forEach((file, number) => {
  const bytes = bytesOf(file);
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
