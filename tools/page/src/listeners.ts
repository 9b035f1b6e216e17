// Those who are told of a change, until their signal says that they are gone.
export class Listeners {
  private readonly all = new Set<() => void>();

  add(listener: () => void, ends?: AbortSignal): void {
    this.all.add(listener);
    ends?.addEventListener('abort', () => this.all.delete(listener), { once: true });
  }
  tell(): void {
    for (const listener of [...this.all]) listener();
  }
}
