// The simulator as functions. Each call runs the command line in a folder of its own.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');

const { Engine } = require('./engine.js');

class SimulationError extends Error {
  constructor(message) {
    super(message);
    this.name = 'SimulationError';
  }
}

const kText = { runtime: 'runtime', machine: 'machine', load: 'load', cores: 'cores', threads: 'threads', seed: 'seed' };
const kOwn = ['file', 'files', 'module', 'set', 'steps', 'runs', 'of', 'pairs', ...Object.keys(kText)];

function wordsOf(options) {
  for (const name of Object.keys(options)) {
    if (!kOwn.includes(name)) throw new TypeError(`there is no option ${JSON.stringify(name)}; there are ${kOwn.join(', ')}`);
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

// The name of the program's file: a scenario is an object, or a text that begins like one.
function nameOf(source, options) {
  if (options.file !== undefined) return path.basename(options.file);
  if (typeof source !== 'string' || source.trimStart().startsWith('{')) return 'scenario.json';
  return options.module ? 'app.mjs' : 'app.js';
}

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
  const engine = new Engine({ folders: { '/': root }, stdin: stdin.number, stdout: stdout.number, stderr: stderr.number });
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
    const name = nameOf(source, options);
    const words = [command[0], name, ...command.slice(1), ...wordsOf(options)];
    const { root, engine, stdout, stderr, runs } = sharedEngine();
    shared.runs++;
    const folder = path.join(root, String(runs));
    try {
      const text = typeof source === 'string' ? source : JSON.stringify(source);
      for (const [file, content] of [...Object.entries(options.files || {}), [name, text]]) {
        const place = path.join(folder, file);
        if (!place.startsWith(folder + path.sep)) throw new TypeError(`${file} is not below the program's folder`);
        fs.mkdirSync(path.dirname(place), { recursive: true });
        fs.writeFileSync(place, content);
      }
      const status = await engine.run(words, `/${runs}`);
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

exports.simulate = function simulate(source, options = {}) {
  const command = ['run', '-f', 'jsonl=.trace'];
  if (options.steps) command.push('--steps');
  return inFolder(source, options, command, ({ file, messages }) => {
    const [header, ...events] = file('.trace').trimEnd().split('\n').map((line) => JSON.parse(line));
    const texts = (kind) => events.filter((event) => event.ev === kind).map((event) => event.text);
    const exit = events.find((event) => event.ev === 'exit');
    const limit = events.find((event) => event.ev === 'limit');
    const hash = /trace ([0-9a-f]{16})/.exec(messages);
    return {
      header,
      events,
      output: texts('log'),
      errors: texts('error_log'),
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
  return inFolder(source, options, command, ({ output }) => JSON.parse(output));
};
