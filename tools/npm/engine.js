// Runs the command line, which is WebAssembly, in a thread of its own: with a stack on which a program may recurse as deeply as in the
// native one (docs/library.md#webassembly). The thread stays for the next run, which then starts quickly.
'use strict';

const fs = require('fs');
const path = require('path');
const v8 = require('v8');
const { Worker } = require('worker_threads');

const kOldest = 18;
const kStackMiB = 256;

let module_;

// Compiled once for all threads of this process.
function compiled() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < kOldest) throw new Error(`loopsim's simulator needs Node ${kOldest} or later; this is ${process.version}`);
  if (module_ === undefined) {
    // The WASI of Node 20 and 22 corrupts the heap once the memory has grown, where V8 calls it in its fast way.
    v8.setFlagsFromString('--no-turbo-fast-api-calls');
    module_ = WebAssembly.compile(fs.readFileSync(path.join(__dirname, 'loopsim.wasm')));
  }
  return module_;
}

class Engine {
  #surroundings;
  #worker = null;
  #last = Promise.resolve();
  #waiting = null;  // the run that is under way: { resolve, reject }

  // folders: what it sees of the disk, by the names that it uses; stdin, stdout, stderr: numbers of open files.
  constructor({ folders, env = {}, stdin = 0, stdout = 1, stderr = 2 }) {
    // Node's own library of each version (tools/loopsim/io/node_library.hpp).
    const all = { ...folders, '/.loopsim/node-library': path.join(__dirname, 'node-library') };
    this.#surroundings = { folders: all, env, stdin, stdout, stderr };
  }

  // words: as behind `loopsim`; folder: the current one, by its name in the engine. Resolves to the exit status. One run at a time: the
  // next one waits.
  run(words, folder) {
    const result = this.#last.then(() => this.#runNow(words, folder));
    this.#last = result.catch(() => {});
    return result;
  }

  // Ends its thread. It may be used again.
  close() {
    const worker = this.#worker;
    this.#worker = null;
    return worker === null ? Promise.resolve() : worker.terminate();
  }

  async #runNow(words, folder) {
    const worker = this.#worker ??= this.#start(await compiled());
    worker.ref();
    try {
      const { status, isUsable } = await new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
        worker.postMessage({ words, folder });
      });
      if (!isUsable) await this.close();
      return status;
    } finally {
      this.#waiting = null;
      worker.unref();
    }
  }

  #start(module) {
    const worker = new Worker(path.join(__dirname, 'worker.js'), {
      workerData: { module, ...this.#surroundings },
      // Node 18 has WASI behind a flag.
      execArgv: process.version.startsWith('v18.') ? ['--experimental-wasi-unstable-preview1', '--no-warnings'] : ['--no-warnings'],
      resourceLimits: { stackSizeMb: kStackMiB },
    });
    const fail = (error) => {
      if (this.#worker === worker) this.#worker = null;
      this.#waiting?.reject(error);
    };
    worker.on('message', (message) => this.#waiting?.resolve(message));
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread of the simulator has ended')));
    return worker;
  }
}

module.exports = { Engine };
