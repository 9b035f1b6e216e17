// The worker in which the engine is unpacked, and the one in which it runs, so that a long run does not stop the page, and can be stopped.
import { EngineHost, isTooDeep } from './engine_host';
import type { FromUnpacker, FromWorker, ToWorker } from './engine_protocol';
import { unpack } from './unpack';

let host: EngineHost | null = null;

const say = (message: FromWorker | FromUnpacker): void => self.postMessage(message);
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

self.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
  if (data.kind === 'unpack') {
    unpack(data.packed).then(
      (module) => say({ kind: 'unpacked', module }),
      (error: unknown) => say({ kind: 'spoilt', message: wordsOf(error) }),
    );
    return;
  }
  if (data.kind === 'module') {
    host = new EngineHost(data.module);
    return;
  }
  const { id, job } = data;
  try {
    if (!host) throw new Error('no module has come');
    say({ kind: 'done', id, outcome: host.run(job) });
  } catch (error) {
    say({ kind: 'failed', id, message: wordsOf(error), isTooDeep: isTooDeep(error) });
  }
};
