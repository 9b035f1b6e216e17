// What the page and the worker with the engine say to each other.
export interface Job {
  words: string[]; // of the command line, without the name of the program
  files: Record<string, string>; // that it may read, by name
}

export interface Outcome {
  status: number; // the exit status
  stdout: string;
  stderr: string;
  files: Record<string, string>; // that it has written
}

export type ToWorker =
  | { kind: 'unpack'; packed: string }
  | { kind: 'module'; module: WebAssembly.Module }
  | { kind: 'run'; id: number; job: Job };

export type FromUnpacker = { kind: 'unpacked'; module: WebAssembly.Module } | { kind: 'spoilt'; message: string };

export type FromWorker =
  | { kind: 'done'; id: number; outcome: Outcome }
  // The engine itself failed, not the program that it ran; `isTooDeep`: the browser's own stack has ended.
  | { kind: 'failed'; id: number; message: string; isTooDeep: boolean };
