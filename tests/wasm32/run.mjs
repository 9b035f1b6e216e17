// Runs a WASI command: run.mjs PROGRAM.wasm ARGUMENT... It can access the current folder; its exit status is passed on.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [file, ...words] = process.argv.slice(2);
// returnOnExit: Node 20 crashes when start() returns after an exit from deep recursion.
const wasi = new WASI({ version: 'preview1', args: [file, ...words], preopens: { '.': '.' }, returnOnExit: false });
const module = await WebAssembly.compile(await readFile(file));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
