// A window with a toy loop below it: what bindings.cpp gives, in virtual time, for library_test.mjs.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import vm from 'node:vm';

const folder = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../../sim/quickjs/web');
const sources = new Map(readdirSync(folder).filter((name) => name.endsWith('.js'))
  .map((name) => [`web/${name.slice(0, -3)}`, readFileSync(join(folder, name), 'utf8')]));

// What the web's library takes from Node's.
const ofNode = {
  'internal/inspect': { inspect },
  'internal/originals': { lockSymbols() {} },
  'internal/stack': { nameBuiltin() {} },
  'internal/version': { readVersion() {} },
  loopsim: { cpu() {} },
  url: { URL, URLSearchParams },
};

export class MockLoop {
  time = 0;
  lines = [];      // of the console
  calls = [];      // labels of listeners
  changes = 0;
  answers = {};
  #next = 1;
  #tasks = [];
  #microtasks = [];
  #frames = [];
  #idles = [];
  #depth = 0;
  #isChecking = false;

  constructor({ name = 'chrome', version = 156, html = '', url = 'http://localhost/' } = {}) {
    this.context = vm.createContext({});
    // Node 20 has no transfer().
    vm.runInContext('(clone) => { ArrayBuffer.prototype.transfer ??= function () { return clone(this, { transfer: [this] }); }; }',
                    this.context)(structuredClone);
    const native = {};
    const loaded = new Map();
    const load = (wanted) => {
      if (ofNode[wanted]) return ofNode[wanted];
      if (loaded.has(wanted)) return loaded.get(wanted).exports;
      if (!sources.has(wanted)) throw new Error(`no file ${wanted}`);
      const module = { exports: {} };
      loaded.set(wanted, module);
      const body = vm.compileFunction(sources.get(wanted), ['exports', 'require', 'module', 'internalBinding'],
                                      { parsingContext: this.context, filename: `${wanted}.js` });
      body.call(undefined, module.exports, load, module, native);
      return module.exports;
    };
    for (const name of sources.keys()) load(name);
    this.library = load('web/start').start({ ...this.#natives(), facts: { name, version, html, url } });
  }

  #natives() {
    return {
      setTimer: (callback, delay, repeats, args) => {
        const wait = Math.max(0, Number.isNaN(delay) ? 0 : delay);
        const id = this.#next++;
        const add = () => this.#tasks.push({ id, api: 'timer', at: this.time + wait, order: this.#next++, priority: 1, run: () => {
          if (repeats) add();
          this.script(() => callback.apply(undefined, args));
        } });
        add();
        return id;
      },
      clearTimer: (id) => this.#cancel(id),
      queueMicrotask: (callback, api) => this.#microtasks.push({ callback, api }),
      requestFrame: (callback) => {
        this.#frames.push({ id: this.#next, callback });
        return this.#next++;
      },
      cancelFrame: (id) => { this.#frames = this.#frames.filter((one) => one.id !== id); },
      requestIdle: (callback, timeout) => {
        this.#idles.push({ id: this.#next, callback, timeout });
        return this.#next++;
      },
      cancelIdle: (id) => { this.#idles = this.#idles.filter((one) => one.id !== id); },
      queueTask: (api, callback, args, delay, priority) => {
        const id = this.#next++;
        this.#tasks.push({ id, api, at: this.time + delay, order: id, priority, run: () => callback(...args) });
        return id;
      },
      cancelTask: (id) => this.#cancel(id),
      setPriority: (id, priority) => {
        for (const one of this.#tasks) if (one.id === id) one.priority = priority;
      },
      callListener: (label, callback, receiver, args, caught) => {
        this.calls.push(label);
        let result;
        this.#depth++;
        try {
          result = Reflect.apply(callback, receiver, args);
        } catch (error) {
          (caught ?? this.library.reportException)(error);
        }
        this.#depth--;
        this.checkpoint();
        return result;
      },
      checkpoint: () => this.checkpoint(),
      now: () => this.time,
      time: () => this.time,
      placeOf: () => 0,
      wallTime: () => 1767225600000,
      print: (level, text) => this.lines.push(level === 'log' ? text : `${level}: ${text}`),
      changed: () => { this.changes++; },
      layout: () => { this.layouts = (this.layouts ?? 0) + 1; },
      answer: (url, method) => this.answers[`${method} ${url}`] ?? null,
      random: () => 0.5,
    };
  }

  #cancel(id) { this.#tasks = this.#tasks.filter((one) => one.id !== id); }

  // Microtasks, when no script is on the stack.
  checkpoint() {
    if (this.#depth > 0 || this.#isChecking) return;
    this.#isChecking = true;
    for (let one; (one = this.#microtasks.shift());) {
      try {
        one.callback();
      } catch (error) {
        this.library.reportException(error);
      }
    }
    this.#isChecking = false;
  }

  script(run) {
    this.#depth++;
    try {
      return run();
    } catch (error) {
      this.library.reportException(error);
      return undefined;
    } finally {
      this.#depth--;
      this.checkpoint();
    }
  }

  // Runs a program's text as a script, and gives its value.
  run(text) { return this.script(() => vm.runInContext(text, this.context, { filename: 'program.js' })); }
  // Its value, or what it throws.
  get(text) { return vm.runInContext(`JSON.stringify(${text})`, this.context); }
  thrown(text) {
    const wrapped = `(() => { try { ${text}; return 'nothing'; } catch (e) { return e?.name + ': ' + e?.message; } })()`;
    return vm.runInContext(wrapped, this.context);
  }

  // All tasks up to a time; promises of the engine get their turn before each.
  async until(time = Infinity) {
    for (;;) {
      await new Promise((resolve) => { setImmediate(resolve); });
      this.checkpoint();
      if (this.#tasks.length === 0) return;
      const first = Math.min(...this.#tasks.map((one) => Math.max(one.at, this.time)));
      if (first > time) return;
      this.time = first;
      // Of the scheduler's tasks the one that counts most; of the same priority what goes on after yield().
      const rank = ({ api, priority }) => 2 * priority + (api === 'yield' ? 0 : 1);
      const isScheduled = ({ api }) => api === 'postTask' || api === 'yield';
      const [task] = this.#tasks.filter((one) => one.at <= first)
        .sort((a, b) => a.at - b.at || (isScheduled(a) && isScheduled(b) ? rank(a) - rank(b) : 0) || a.order - b.order);
      this.#tasks.splice(this.#tasks.indexOf(task), 1);
      task.run();
      this.checkpoint();
    }
  }
  frame() {
    const frames = this.#frames;
    this.#frames = [];
    for (const { callback } of frames) this.script(() => callback(this.time));
    this.library.afterAnimationFrames();
    this.checkpoint();
  }
  idle(budget) {
    const idles = this.#idles;
    this.#idles = [];
    for (const { callback, timeout } of idles) this.script(() => callback(this.library.makeDeadline(this.time + budget, timeout === 5)));
  }
  // The lines since the last call.
  take() { return this.lines.splice(0); }
}
