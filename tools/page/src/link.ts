// The deep link: #event=123&lang=zh&theme=dark. event=123.2: the second step of the program behind that event; predict:
// begins with questions. Updating the address adds no history entries.
import type { Language } from './i18n';
import type { Theme } from './theme';

export interface Link {
  event: number | null;
  stop: number;
  predict: boolean;
  language: Language | null;
  theme: Theme | null;
}

export function readLink(hash: string): Link {
  const keys = new URLSearchParams(hash.replace(/^#/, ''));
  const [, number, stop] = /^(\d+)(?:\.(\d+))?$/.exec(keys.get('event') ?? '') ?? [];
  const event = Number(number);
  const language = keys.get('lang');
  const theme = keys.get('theme');
  return {
    event: Number.isSafeInteger(event) && event > 0 ? event : null,
    stop: Number(stop ?? 0),
    predict: keys.has('predict'),
    language: language === 'en' || language === 'zh' ? language : null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
  };
}

export function writeLink(link: Link): string {
  let hash = `#event=${link.event ?? 1}`;
  if (link.stop) hash += `.${link.stop}`;
  if (link.predict) hash += '&predict';
  if (link.language) hash += `&lang=${link.language}`;
  if (link.theme) hash += `&theme=${link.theme}`;
  return hash;
}

// Updates the address with a delay: browsers limit the number of changes per second. An address that the reader has
// changed meanwhile is left alone; its event `hashchange` is still to come.
export class LinkKeeper {
  private timer = 0;
  private known = location.hash;
  constructor(private readonly link: () => Link) {
    window.addEventListener('hashchange', () => (this.known = location.hash));
  }

  update(): void {
    if (this.timer) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (location.hash !== this.known) return;
      const hash = writeLink(this.link());
      if (hash !== location.hash) history.replaceState(null, '', hash);
      this.known = hash;
    }, 120);
  }
}
