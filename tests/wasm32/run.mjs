// Runs a WASI command: run.mjs PROGRAM.wasm ARGUMENT... It can access the current folder; its exit status is passed on.
//
// In a thread with a large stack: a program in JavaScript may recurse as deeply as in the native program, and a call of QuickJS's own
// functions takes some hundred bytes of the stack of WebAssembly. Node 20 and 22 need --no-turbo-fast-api-calls: their WASI corrupts the
// heap otherwise once the memory has grown.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { workerData: process.argv.slice(2), resourceLimits: { stackSizeMb: 256 } });
  worker.on('message', (status) => { process.exitCode = status; });
} else {
  const [file, ...words] = workerData;
  const wasi = new WASI({ version: 'preview1', args: [file, ...words], preopens: { '.': '.' }, returnOnExit: true });
  const module = await WebAssembly.compile(await readFile(file));
  parentPort.postMessage(wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject())));
}
