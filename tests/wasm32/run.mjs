// Runs a WASI command: run.mjs PROGRAM.wasm ARGUMENT... It sees the folder that this is called in, and its exit status is passed on.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [file, ...words] = process.argv.slice(2);
// returnOnExit: Node 20 crashes when a program that is deep in its calls has exited and start() is to return.
const wasi = new WASI({ version: 'preview1', args: [file, ...words], preopens: { '.': '.' }, returnOnExit: false });
const module = await WebAssembly.compile(await readFile(file));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
