// Starts the engine's worker, whose code stands in the page: one that is opened from a disk can fetch none.
import code from './engine_worker?bundled';

export function makeWorker(): Worker {
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  try {
    return new Worker(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}
