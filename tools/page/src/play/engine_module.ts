// The engine that stands in the page itself: WebAssembly, which a worker unpacks and compiles, so that the page can be used meanwhile.
import type { FromUnpacker, ToWorker } from './engine_protocol';
import { embedded, wholePage } from './page_texts';
import { makeWorker } from './worker';

function unpacked(packed: string): Promise<WebAssembly.Module> {
  return new Promise((resolve, reject) => {
    const worker = makeWorker();
    worker.onmessage = ({ data }: MessageEvent<FromUnpacker>): void => {
      worker.terminate();
      if (data.kind === 'unpacked') resolve(data.module);
      else reject(new Error(data.message));
    };
    worker.onerror = (event): void => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    worker.postMessage({ kind: 'unpack', packed } satisfies ToWorker);
  });
}

let compiled: Promise<WebAssembly.Module> | null = null;

export function engineModule(): Promise<WebAssembly.Module> {
  return (compiled ??= (async () => {
    await wholePage();
    const packed = embedded('engine');
    if (!packed) throw new Error('this page was built without its engine');
    return unpacked(packed);
  })());
}
