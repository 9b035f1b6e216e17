// What commands do: as the scenario declares them ("commands"), and the few that need no declaration, with a shell that knows
// how to call one after another. Nothing is run: a command takes its time, prints its text, and ends.
'use strict';

const native = internalBinding;
const { facts } = require('internal/work');

const kStart = 1e6;  // ns: what the start and the end of a process take, where nothing is declared

let declared;  // by the command with its arguments, or by its name alone

// Also told by a program under the clock of tools/conformance.
function declare(name, what) { table().set(name, what); }

function table() {
  if (declared === undefined) {
    declared = new Map();
    for (const { name, ...what } of facts().commands) declared.set(name, what);
  }
  return declared;
}

function resultOf({ duration, time, stdout = '', stderr = '', code = 0, signal = '' }) {
  return { time: duration === undefined ? time ?? kStart : native.drawDuration(duration), stdout, stderr, code, signal };
}

function baseOf(file) { return file.slice(file.lastIndexOf('/') + 1); }

const kUnits = { s: 1, m: 60, h: 3600, d: 86400 };

function sleep(args) {
  let seconds = 0;
  for (const arg of args) {
    const found = /^(\d+\.?\d*|\.\d+)([smhd]?)$/.exec(arg);
    if (found === null) return { code: 1, stderr: `sleep: invalid time interval '${arg}'\nTry 'sleep --help' for more information.\n` };
    seconds += Number(found[1]) * kUnits[found[2] || 's'];
  }
  return { time: kStart + seconds * 1e9 };
}

function echo(args) {
  const isBare = args[0] === '-n';
  return { stdout: (isBare ? args.slice(1) : args).join(' ') + (isBare ? '' : '\n') };
}

const builtIn = new Map([
  ['echo', echo],
  ['sleep', sleep],
  ['true', () => ({})],
  [':', () => ({})],
  ['false', () => ({ code: 1 })],
  ['sh', shellOf],
  ['bash', shellOf],
]);

function shellOf(args) { return args[0] === '-c' && args.length > 1 ? runLine(args[1]) : undefined; }

// The words of a line, and between commands { operator }; undefined: it has what this shell does not know.
function wordsOf(line) {
  const words = [];
  const pattern = /\s*(?:(\n|;|&&|\|\|)|(1?>&2|2>&1|[12]?>\s*\/dev\/null)|((?:[^\s;&|<>"'\\$`()]|"[^"\\$`]*"|'[^']*')+))/y;
  line = line.trim();
  while (pattern.lastIndex < line.length) {
    const found = pattern.exec(line);
    if (found === null) return undefined;
    const [, operator, redirection, word] = found;
    if (operator !== undefined) words.push({ operator });
    else if (redirection !== undefined) words.push({ redirection: redirection.replace(/\s/g, '') });
    else words.push(word.replace(/"([^"]*)"|'([^']*)'/g, (_, one, other) => one ?? other));
  }
  return words;
}

function redirect(result, redirection) {
  if (/^1?>&2$/.test(redirection)) return { ...result, stdout: '', stderr: result.stderr + result.stdout };
  if (redirection === '2>&1') return { ...result, stdout: result.stdout + result.stderr, stderr: '' };
  return redirection.startsWith('2') ? { ...result, stderr: '' } : { ...result, stdout: '' };
}

function runLine(line) {
  const whole = table().get(line.trim());
  if (whole !== undefined) return resultOf(whole);
  const words = wordsOf(line);
  const total = { time: kStart, stdout: '', stderr: '', code: 0, signal: '' };
  const add = (result) => {
    total.time += result.time;
    total.stdout += result.stdout;
    total.stderr += result.stderr;
    total.code = result.code;
  };
  if (words === undefined) {
    add(notFound(line.trim().split(/\s/)[0]));
    return total;
  }
  let command = [];
  let redirections = [];
  let runs = true;
  const finish = () => {
    if (command.length === 0 || !runs) return false;
    const [file, ...args] = command;
    if (file === 'exit') {
      total.code = args.length > 0 ? Number(args[0]) & 255 : total.code;
      return true;
    }
    add(redirections.reduce(redirect, find(file, args) ?? notFound(file)));
    return false;
  };
  for (const word of [...words, { operator: ';' }]) {
    if (typeof word === 'string') {
      command.push(word);
    } else if (word.redirection !== undefined) {
      redirections.push(word.redirection);
    } else {
      if (finish()) break;
      runs = word.operator === '&&' ? total.code === 0 : word.operator === '||' ? total.code !== 0 : true;
      command = [];
      redirections = [];
    }
  }
  return total;
}

function notFound(file) { return resultOf({ stderr: `/bin/sh: 1: ${file}: not found\n`, code: 127, time: 0 }); }

// { time, stdout, stderr, code, signal }: in nanoseconds, the name of a signal or ''. undefined: there is no such command.
function find(file, args) {
  const name = baseOf(file);
  const found = table().get([file, ...args].join(' ')) ?? table().get([name, ...args].join(' ')) ?? table().get(file) ?? table().get(name);
  if (found !== undefined) return resultOf(found);
  const known = builtIn.get(name)?.(args);
  if (known !== undefined) return resultOf(known);
  native.advise(undeclared(file));
  return undefined;
}

function undeclared(file) { return `no command "${file}" is declared; "commands" of a scenario says what commands do`; }

module.exports = { declare, find, undeclared };
