// The simulator as functions. Each call runs the command line in a folder of its own.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const vm = require('vm');

const { Engine } = require('./engine.js');

class SimulationError extends Error {
  constructor(message) {
    super(message);
    this.name = 'SimulationError';
  }
}

const kText = { runtime: 'runtime', machine: 'machine', load: 'load', cores: 'cores', threads: 'threads', seed: 'seed' };
const kOwn = ['file', 'files', 'root', 'module', 'set', 'steps', 'runs', 'of', 'pairs', ...Object.keys(kText)];

function wordsOf(options) {
  for (const name of Object.keys(options)) {
    if (!kOwn.includes(name)) throw new TypeError(`there is no option ${JSON.stringify(name)}; there are ${kOwn.join(', ')}`);
  }
  if (typeof options.seed === 'number' && !Number.isSafeInteger(options.seed)) {
    throw new TypeError(`the seed ${options.seed} is no whole number up to 2^53; give a larger one as a text or a BigInt`);
  }
  const words = [];
  for (const [name, option] of Object.entries(kText)) {
    const value = options[name];
    if (value !== undefined) words.push(`--${option}`, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  for (const [name, value] of Object.entries(options.set || {})) {
    words.push('--set', `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
  return words;
}

const isScenario = (source) => typeof source !== 'string' || source.trimStart().startsWith('{');

// The name of the program's file: a scenario is an object, or a text that begins like one.
function nameOf(source, options) {
  if (options.file !== undefined) return path.basename(options.file);
  if (isScenario(source)) return 'scenario.json';
  return options.module ? 'app.mjs' : 'app.js';
}

function isExpression(text) {
  try {
    new vm.Script(`(${text})`);
    return true;
  } catch {
    return false;
  }
}

// A function is the program that calls it: nothing of what is around it is there.
function textOf(source) {
  if (typeof source === 'function') {
    const text = Function.prototype.toString.call(source);
    return isExpression(text) ? `(${text})();` : `Object.values({ ${text} })[0]();`;  // a method has no `function`
  }
  if (typeof source === 'string') return source;
  if (typeof source === 'object' && source !== null) return JSON.stringify(source);
  throw new TypeError('the program is a text or a function, or a scenario as an object, ' +
                      `not ${source === null || source === undefined ? source : `a ${typeof source}`}`);
}

// A program that stands in a folder of the disk: a scenario of its text, whose file is there.
function inRoot(text, name, options) {
  if (options.files !== undefined) throw new TypeError('a program has either "root", the folder that it stands in, or "files" beside it');
  const root = path.resolve(options.root);
  if (!fs.statSync(root, { throwIfNoEntry: false })?.isDirectory()) throw new TypeError(`there is no folder ${options.root}`);
  const placed = (file) => below(path.resolve(root, file));
  if (!isScenario(text)) return JSON.stringify({ title: name, script: { file: placed(name), text } });
  const scenario = JSON.parse(text);
  const { script } = scenario;
  if (typeof script === 'string') {
    scenario.script = { file: placed(script), text: fs.readFileSync(path.resolve(root, script), 'utf8') };
  } else if (script !== undefined) {
    scenario.script = Array.isArray(script) ? { file: placed('script.js'), text: `${script.join('\n')}\n` }
      : { ...script, file: placed(script.file) };
  }
  return JSON.stringify(scenario);
}

// A place on the disk as the engine calls it: WASI's paths have no drives and go forward.
function below(place) { return `/${path.relative(path.parse(place).root, place).split(path.sep).join('/')}`; }

// One engine for all calls, with a folder of its own on the disk, which is removed when the process ends.
let shared;

function sharedEngine() {
  if (shared !== undefined) return shared;
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'loopsim-'));
  process.on('exit', () => fs.rmSync(root, { recursive: true, force: true }));
  const open = (name) => {
    const file = path.join(root, name);
    return { file, number: fs.openSync(file, 'w+'), read: 0 };
  };
  const [stdin, stdout, stderr] = ['.stdin', '.stdout', '.stderr'].map(open);
  const engine = new Engine({ folders: { '/': path.parse(root).root }, stdin: stdin.number, stdout: stdout.number, stderr: stderr.number });
  return shared = { root, engine, stdout, stderr, runs: 0 };
}

// What was written since the last time.
function newText(stream) {
  const size = fs.fstatSync(stream.number).size;
  const bytes = Buffer.alloc(size - stream.read);
  fs.readSync(stream.number, bytes, 0, bytes.length, stream.read);
  stream.read = size;
  return bytes.toString();
}

let last = Promise.resolve();

// Writes the program and its files, runs the command, and gives `read` the folder. One after the other: they share the streams.
function inFolder(source, options, command, read) {
  const result = last.then(async () => {
    const own = textOf(source);
    const name = options.root === undefined ? nameOf(own, options) : 'scenario.json';
    const text = options.root === undefined ? own : inRoot(own, nameOf(own, options), options);
    const words = [command[0], name, ...command.slice(1), ...wordsOf(options)];
    const { root, engine, stdout, stderr, runs } = sharedEngine();
    shared.runs++;
    const folder = path.join(root, String(runs));
    try {
      for (const [file, content] of [...Object.entries(options.files || {}), [name, text]]) {
        const place = path.join(folder, file);
        if (!place.startsWith(folder + path.sep)) throw new TypeError(`${file} is not below the program's folder`);
        fs.mkdirSync(path.dirname(place), { recursive: true });
        fs.writeFileSync(place, content);
      }
      const status = await engine.run(words, below(folder));
      const output = newText(stdout);
      const messages = newText(stderr);
      const kLimit = 3;
      if (status !== 0 && status !== kLimit) throw new SimulationError(messages.trim());
      return read({ file: (own) => fs.readFileSync(path.join(folder, own), 'utf8'), output, messages });
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
  last = result.catch(() => {});
  return result;
}

exports.SimulationError = SimulationError;

// Seeds have 64 bits, more than a number holds: they are texts. In JSON that is written nothing else looks like this.
function parse(json) { return JSON.parse(json.replace(/"seed":( ?)(\d+)/g, '"seed":$1"$2"')); }

// The message of a program that could not be read, and so did nothing; undefined: it could.
function unreadable(events, errors) {
  const at = events.findIndex((event) => event.ev === 'throw');
  if (at < 0 || !/^SyntaxError\b/.test(events[at].text)) return undefined;
  const isBegin = ({ ev, api, op }) => (ev === 'callback_begin' && api === 'main') || ev === 'drain_begin' || ev === 'dequeue' ||
    (ev === 'enqueue' && op === 'module');
  const hasRun = !events.slice(0, at).every(isBegin);
  return hasRun || errors.some((line) => line.startsWith('    at ')) ? undefined : errors.join('\n').trim();
}

exports.simulate = function simulate(source, options = {}) {
  const command = ['run', '-f', 'jsonl=.trace'];
  if (options.steps) command.push('--steps');
  return inFolder(source, options, command, ({ file, messages }) => {
    const [first, ...lines] = file('.trace').trimEnd().split('\n');
    const header = parse(first);
    const events = lines.map((line) => JSON.parse(line));
    const texts = (kind) => events.filter((event) => event.ev === kind).flatMap((event) => event.text.split('\n'));
    const exit = events.find((event) => event.ev === 'exit');
    const limit = events.find((event) => event.ev === 'limit');
    const hash = /trace ([0-9a-f]{16})/.exec(messages);
    const output = texts('log');
    const errors = texts('error_log');
    const wrong = unreadable(events, errors);
    if (wrong !== undefined) throw new SimulationError(wrong);
    return {
      header,
      events,
      output,
      errors,
      exitCode: exit === undefined || limit !== undefined ? null : exit.code,
      limit: limit === undefined ? null : limit.limit,
      time: events.length === 0 ? 0 : events[events.length - 1].t,
      hash: hash === null ? null : hash[1],
    };
  });
};

exports.orders = function orders(source, options = {}) {
  const command = ['orders', '-f', 'json'];
  if (options.runs !== undefined) command.push('--runs', String(options.runs));
  if (options.of !== undefined) command.push('--of', options.of);
  for (const [first, second] of options.pairs || []) command.push('--pair', `${first},${second}`);
  return inFolder(source, options, command, ({ output }) => parse(output));
};
