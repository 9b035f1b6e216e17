// The file that `loopsim play FILE` serves beside the page: it is loaded, and again when it changes.

const kEvery = 400; // ms between two questions
const kLongest = 5000; // after failed ones

// The name of the file; null: there is none, the page was opened by itself.
export function servedName(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name=loopsim-file]')?.content ?? null;
}

// Calls `load` with the file's text, now and whenever it has changed, and `lost` when it is gone or the program has ended.
export function followServed(load: (text: string) => void, lost: (isLost: boolean) => void): void {
  let tag = '';
  let wait = kEvery;
  const ask = async (): Promise<void> => {
    try {
      const answer = await fetch('file', { cache: 'no-store', headers: tag ? { 'If-None-Match': tag } : {} });
      if (answer.status !== 304 && !answer.ok) throw new Error(answer.statusText);
      if (answer.ok) {
        const text = await answer.text();
        tag = answer.headers.get('ETag') ?? '';
        load(text);
      }
      wait = kEvery;
      lost(false);
    } catch {
      wait = Math.min(2 * wait, kLongest);
      lost(true);
    }
    window.setTimeout(() => void ask(), wait);
  };
  void ask();
}
