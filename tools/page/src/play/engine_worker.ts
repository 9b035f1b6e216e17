// The worker in which the engine runs, so that a long run does not stop the page, and can be stopped.
import { EngineHost } from './engine_host';
import type { FromWorker, ToWorker } from './engine_protocol';

let host: EngineHost | null = null;

const say = (message: FromWorker): void => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
  if (data.kind === 'module') {
    host = new EngineHost(data.module);
    return;
  }
  const { id, job } = data;
  try {
    if (!host) throw new Error('no module has come');
    say({ kind: 'done', id, outcome: host.run(job) });
  } catch (error) {
    say({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
};
