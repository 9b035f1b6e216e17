// Runs the command line program, built as a WebAssembly reactor: loopsim_run(argc, argv), once for each job, with files in
// memory. One instance serves many jobs. An instance that has trapped or ended itself is thrown away, for nobody knows in
// which state it is.
import {
  ConsoleStdout,
  File,
  OpenFile,
  PreopenDirectory,
  WASI,
  WASIProcExit,
  type Fd,
  type Inode,
} from '@bjorn3/browser_wasi_shim';
import type { Job, Outcome } from './engine_protocol';

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize: () => void;
  malloc: (size: number) => number;
  free: (place: number) => void;
  loopsim_run: (argc: number, argv: number) => number;
}

const kMostOutput = 8 << 20; // bytes of each of the two outputs; what is more is dropped

// The shim copies a file for every piece that is appended. Here its buffer doubles instead.
function append(this: OpenFile, data: Uint8Array): { ret: number; nwritten: number } {
  const { file } = this;
  const from = Number(this.file_pos);
  const end = from + data.byteLength;
  if (end > file.data.byteLength) {
    if (file.data.byteOffset === 0 && file.data.buffer.byteLength >= end) {
      file.data = new Uint8Array(file.data.buffer, 0, end);
    } else {
      const larger = new Uint8Array(Math.max(end, 2 * file.data.byteLength, 1 << 16));
      larger.set(file.data);
      file.data = new Uint8Array(larger.buffer, 0, end);
    }
  }
  file.data.set(data, from);
  this.file_pos += BigInt(data.byteLength);
  return { ret: 0, nwritten: data.byteLength };
}

class Folder extends PreopenDirectory {
  override path_open(...args: Parameters<PreopenDirectory['path_open']>): ReturnType<PreopenDirectory['path_open']> {
    const opened = super.path_open(...args);
    if (opened.fd_obj instanceof OpenFile && !opened.fd_obj.file.readonly)
      opened.fd_obj.fd_write = append.bind(opened.fd_obj);
    return opened;
  }
}

class Output {
  private readonly pieces: Uint8Array[] = [];
  private size = 0;

  write(bytes: Uint8Array): void {
    if (this.size >= kMostOutput) return;
    this.pieces.push(bytes.slice());
    this.size += bytes.byteLength;
  }
  text(): string {
    const whole = new Uint8Array(this.size);
    let at = 0;
    for (const piece of this.pieces) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return new TextDecoder().decode(whole);
  }
}

interface Running {
  exports: Exports;
  files: Map<string, Inode>;
  setOutputs(stdout: Output, stderr: Output): void;
}

export class EngineHost {
  private running: Running | null = null;

  constructor(private readonly module: WebAssembly.Module) {}

  run({ words, files }: Job): Outcome {
    const one = (this.running ??= this.start());
    const [stdout, stderr] = [new Output(), new Output()];
    one.setOutputs(stdout, stderr);
    one.files.clear();
    const given = new Map<string, Uint8Array>();
    for (const [name, text] of Object.entries(files)) {
      const file = new File(new TextEncoder().encode(text));
      given.set(name, file.data);
      one.files.set(name, file);
    }
    let status: number;
    try {
      status = call(one.exports, words);
    } catch (error) {
      this.running = null;
      if (!(error instanceof WASIProcExit)) throw error;
      status = error.code;
    }
    const written: Record<string, string> = {};
    for (const [name, file] of one.files)
      if (file instanceof File && given.get(name) !== file.data) written[name] = new TextDecoder().decode(file.data);
    return { status, stdout: stdout.text(), stderr: stderr.text(), files: written };
  }

  private start(): Running {
    const files = new Map<string, Inode>();
    // Paths without and with a leading slash are the same files.
    const folders = [new Folder('.', files), new Folder('/', files)];
    const unheard = (): ConsoleStdout => new ConsoleStdout(() => undefined);
    const fds: Fd[] = [new OpenFile(new File([])), unheard(), unheard(), ...folders];
    const wasi = new WASI([], [], fds, { debug: false });
    const instance = new WebAssembly.Instance(this.module, { wasi_snapshot_preview1: wasi.wasiImport });
    wasi.initialize(instance as { exports: Exports });
    return {
      exports: instance.exports as Exports,
      files,
      setOutputs: (stdout, stderr) => {
        wasi.fds.length = 3 + folders.length; // the shim does not use the place of a closed file again
        wasi.fds[0] = new OpenFile(new File([]));
        wasi.fds[1] = new ConsoleStdout((bytes) => stdout.write(bytes));
        wasi.fds[2] = new ConsoleStdout((bytes) => stderr.write(bytes));
      },
    };
  }
}

// What browsers throw where their own stack ends: Chromium and Safari a RangeError, Firefox an InternalError of its own. A program in
// JavaScript gets a RangeError of QuickJS's long before, and goes on (docs/limits.md); this is for what nests in other ways.
export function isTooDeep(error: unknown): boolean {
  return error instanceof Error && /^(Maximum call stack size exceeded|too much recursion)/.test(error.message);
}

function call({ malloc, free, memory, loopsim_run }: Exports, words: string[]): number {
  const encoder = new TextEncoder();
  const texts = words.map((word) => encoder.encode(`${word}\0`));
  const places = [4 * (texts.length + 1), ...texts.map((text) => text.byteLength)].map((size) => malloc(size));
  const [argv = 0, ...strings] = places;
  if (places.includes(0)) throw new Error('the engine has no memory for its arguments');
  // Only now: malloc() may have grown the memory, which gives it a new buffer.
  const view = new DataView(memory.buffer);
  texts.forEach((text, i) => {
    const place = strings[i] ?? 0;
    new Uint8Array(memory.buffer).set(text, place);
    view.setUint32(argv + 4 * i, place, true);
  });
  view.setUint32(argv + 4 * texts.length, 0, true);
  const status = loopsim_run(texts.length, argv);
  for (const place of places) free(place);
  return status;
}
