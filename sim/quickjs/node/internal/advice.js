// What helps of an exception that nobody caught: that the program uses a name or a module which this version of Node, or loopsim, has
// not.
'use strict';

const { undeclared } = require('internal/commands');
const { since } = require('internal/since');
const { atLeast, major } = require('internal/version');

// Globals of Node that loopsim has not, by the first version with them (measured: the globals of the versions).
const absent = new Map([
  [4, 'Intl'],
  [8, 'WebAssembly'],
  [16, 'Atomics.waitAsync'],
  [18, 'Blob ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy DecompressionStream FormData Headers ' +
    'ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest ' +
    'ReadableStreamDefaultController ReadableStreamDefaultReader Request Response TextDecoderStream ' +
    'TextEncoderStream TransformStream TransformStreamDefaultController WritableStream ' +
    'WritableStreamDefaultController WritableStreamDefaultWriter fetch'],
  [20, 'File PerformanceResourceTiming'],
  [22, 'Navigator WebSocket navigator'],
  [24, 'CloseEvent URLPattern'],
  [26, 'ErrorEvent QuotaExceededError Storage Temporal localStorage sessionStorage'],
]);

function firstWith(name) {
  for (const [line, names] of absent) if (names.split(' ').includes(name)) return line;
  return undefined;
}

// The rows of what `name` may stand for: a global, a member of one or of a module, or one of that name of whatever has it.
function rowsOf(name) {
  const exact = since.filter(([one]) => one === name || one === name.replace('.', ':'));
  const dot = name.lastIndexOf('.');
  if (exact.length > 0 || dot < 0) return exact;
  const member = name.slice(dot + 1);
  const methods = since.filter(([one]) => one.endsWith(`.prototype.${member}`) || one.endsWith(`:${member}`));
  return methods.every(([, first]) => first === methods[0][1]) ? methods.slice(0, 1) : [];
}

// `error`: an object. A sentence without a final stop; '': there is none.
function adviceFor(error) {
  const { value: said } = Object.getOwnPropertyDescriptor(error, 'message') ?? {};  // without calling the program
  if (typeof said !== 'string') return '';
  const module = /^loopsim has no module '([^']+)'/.exec(said)?.[1];
  if (module !== undefined) return `--stub ${module} puts an empty module in its place (docs/javascript.md says what loopsim has)`;
  const command = /^spawn(?:Sync)? ([^\n]+) ENOENT$/.exec(said)?.[1] ??
    /^Command failed: [^]*\/bin\/sh: 1: ([^\n]+): not found\n$/.exec(said)?.[1];
  if (command !== undefined) return undeclared(command);
  const name = /([\w$.]+) is not (?:defined|a function|a constructor)$/.exec(said)?.[1];
  if (name === undefined) return '';
  const own = `Node ${major()}`;
  const lacks = (words, first) => `${own} has no ${words}, only Node ${first} and later`;
  const first = firstWith(name);
  if (first !== undefined) return atLeast(first) ? `${own} has ${name}, loopsim does not` : lacks(name, first);
  for (const [row, from, until, again] of rowsOf(name)) {
    const words = row.replace(':', '.');
    if (!atLeast(from)) return `${lacks(words, from)}; try -r node-${from}`;
    const isGone = until !== undefined && atLeast(until) && !atLeast(again ?? Infinity);
    if (isGone) return `${own} has no ${words} any more, only versions before Node ${until}`;
  }
  return '';
}

module.exports = { adviceFor };
