// Light or dark: the system's preference until the user chooses.
import { Listeners } from './listeners';

export type Theme = 'light' | 'dark';

export class ThemeChoice {
  private chosen: Theme | null;
  private readonly system = window.matchMedia('(prefers-color-scheme: dark)');
  private readonly listeners = new Listeners();

  constructor(chosen: Theme | null) {
    this.chosen = chosen;
    this.system.addEventListener('change', () => this.apply());
    this.apply();
  }

  get current(): Theme {
    return this.chosen ?? (this.system.matches ? 'dark' : 'light');
  }
  get explicit(): Theme | null {
    return this.chosen;
  }
  set(theme: Theme | null): void {
    if (theme === this.chosen) return;
    this.chosen = theme;
    this.apply();
  }
  toggle(): void {
    this.set(this.current === 'dark' ? 'light' : 'dark');
  }
  onChange(listener: () => void, ends?: AbortSignal): void {
    this.listeners.add(listener, ends);
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.current;
    this.listeners.tell();
  }
}
