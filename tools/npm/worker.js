// The thread of engine.js: one instance of the program, which answers each message { words, folder } with its exit status.
'use strict';

const fs = require('fs');
const { parentPort, workerData } = require('worker_threads');
const { WASI } = require('wasi');

const kFailed = 2;
const { module: program, folders, env, stdin, stdout, stderr } = workerData;

class Exit extends Error {
  constructor(status) {
    super(`exit ${status}`);
    this.status = status;
  }
}

const wasi = new WASI({ version: 'preview1', args: ['loopsim'], env, preopens: folders, stdin, stdout, stderr });
const { exports: loopsim } = new WebAssembly.Instance(program, {
  wasi_snapshot_preview1: { ...wasi.wasiImport, proc_exit(status) { throw new Exit(status); } },
});
wasi.initialize({ exports: loopsim });

// A C string; the caller frees it.
function textOf(word) {
  const bytes = Buffer.from(`${word}\0`);
  const at = loopsim.malloc(bytes.length);
  bytes.copy(Buffer.from(loopsim.memory.buffer), at);
  return at;
}

function run(words, folder) {
  const pieces = words.map(textOf);
  const place = textOf(folder);
  const list = loopsim.malloc(4 * (words.length + 1));
  try {
    loopsim.chdir(place);
    new Uint32Array(loopsim.memory.buffer, list, words.length + 1).set([...pieces, 0]);
    return loopsim.loopsim_run(words.length, list);
  } finally {
    for (const piece of [...pieces, place, list]) loopsim.free(piece);
  }
}

parentPort.on('message', ({ words, folder }) => {
  try {
    parentPort.postMessage({ status: run(words, folder), isUsable: true });
  } catch (error) {  // out of memory, or of the stack: the instance is of no more use
    if (!(error instanceof Exit)) fs.writeSync(stderr, `loopsim: the run has failed: ${error && error.message}\n`);
    parentPort.postMessage({ status: error instanceof Exit ? error.status : kFailed, isUsable: false });
  }
});
