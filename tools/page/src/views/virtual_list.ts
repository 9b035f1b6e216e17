// A list of rows of equal height; only the visible ones are in the DOM.
import { h } from '../dom';

export class VirtualList {
  readonly element: HTMLElement;
  private readonly spacer: HTMLElement;
  private readonly rows: HTMLElement;
  private count = 0;
  private first = -1;
  private shown = 0;

  constructor(
    private readonly rowHeight: number,
    private readonly makeRow: (index: number) => HTMLElement,
    label: string,
  ) {
    this.rows = h('div', { class: 'virtual-rows', role: 'list' });
    this.spacer = h('div', { class: 'virtual-space' }, this.rows);
    this.element = h('div', { class: 'virtual', tabindex: '0', role: 'group', 'aria-label': label }, this.spacer);
    this.element.addEventListener('scroll', () => this.draw(false), { passive: true });
    new ResizeObserver(() => this.draw(true)).observe(this.element);
  }

  setLabel(label: string): void {
    this.element.setAttribute('aria-label', label);
  }

  // Also scrolls row `seen` into view, if there is one.
  setCount(count: number, seen = -1): void {
    this.count = count;
    this.spacer.style.height = `${count * this.rowHeight}px`;
    if (seen >= 0) this.scrollTo(seen);
    this.draw(true);
  }

  // Scrolls a row into view and draws all anew.
  reveal(index: number): void {
    this.scrollTo(index);
    this.draw(true);
  }

  private scrollTo(index: number): void {
    const top = index * this.rowHeight;
    const height = this.element.clientHeight;
    if (height === 0) return;
    if (top < this.element.scrollTop) this.element.scrollTop = Math.max(0, top - this.rowHeight);
    else if (top + this.rowHeight > this.element.scrollTop + height)
      this.element.scrollTop = top + 2 * this.rowHeight - height;
  }

  draw(always: boolean): void {
    const height = this.element.clientHeight || 400;
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight) - 4);
    const shown = Math.min(this.count - first, Math.ceil(height / this.rowHeight) + 8);
    if (!always && first === this.first && shown === this.shown) return;
    this.first = first;
    this.shown = shown;
    this.rows.style.transform = `translateY(${first * this.rowHeight}px)`;
    const rows: HTMLElement[] = [];
    for (let i = first; i < first + shown; ++i) rows.push(this.makeRow(i));
    this.rows.replaceChildren(...rows);
  }
}
