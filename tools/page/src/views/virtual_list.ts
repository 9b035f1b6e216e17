// A list of rows of equal height; only the visible ones are in the DOM. Its height and its scroll position are kept, not read:
// reading them lays out the whole page, with each step.
import { h, onResize, patchChildren } from '../dom';

export class VirtualList {
  readonly element: HTMLElement;
  private readonly spacer: HTMLElement;
  private readonly rows: HTMLElement;
  private height = 0; // 0: not shown
  private top = 0;
  private wasShown = false;
  private wanted = -1; // the row to be seen as soon as the list is shown
  private count = 0;
  private first = -1;
  private shown = 0;

  constructor(
    private readonly rowHeight: number,
    private readonly makeRow: (index: number) => HTMLElement,
    label: string,
    ends: AbortSignal,
  ) {
    this.rows = h('div', { class: 'virtual-rows', role: 'list' });
    this.spacer = h('div', { class: 'virtual-space' }, this.rows);
    this.element = h('div', { class: 'virtual', tabindex: '0', role: 'group', 'aria-label': label }, this.spacer);
    const onScroll = (): void => {
      this.top = this.element.scrollTop;
      this.draw(false);
    };
    this.element.addEventListener('scroll', onScroll, { passive: true });
    onResize(this.element, ends, (_width, height) => {
      if (this.wasShown && this.height === 0) this.top = this.element.scrollTop; // browsers differ on hidden elements
      this.wasShown ||= height > 0;
      this.height = height;
      if (this.height > 0 && this.wanted >= 0) this.reveal(this.wanted);
      this.draw(true);
    });
  }

  setLabel(label: string): void {
    this.element.setAttribute('aria-label', label);
  }

  // Also scrolls row `seen` into view, if there is one.
  setCount(count: number, seen = -1): void {
    this.count = count;
    this.spacer.style.height = `${count * this.rowHeight}px`;
    this.top = Math.min(this.top, this.lowest);
    if (seen >= 0) this.see(seen);
    this.draw(true);
  }

  // Scrolls a row into view and draws all anew.
  reveal(index: number): void {
    this.see(index);
    this.draw(true);
  }

  private see(index: number): void {
    this.wanted = this.height === 0 ? index : -1;
    if (this.height === 0) return;
    const top = index * this.rowHeight;
    if (top < this.top) this.scrollTo(top - this.rowHeight);
    else if (top + this.rowHeight > this.top + this.height) this.scrollTo(top + 2 * this.rowHeight - this.height);
  }

  private get lowest(): number {
    return Math.max(0, this.count * this.rowHeight - this.height);
  }

  private scrollTo(top: number): void {
    this.top = Math.min(Math.max(0, top), this.lowest);
    this.element.scrollTop = this.top;
  }

  draw(always: boolean): void {
    const height = this.height || 400;
    const first = Math.max(0, Math.floor(this.top / this.rowHeight) - 4);
    const shown = Math.min(this.count - first, Math.ceil(height / this.rowHeight) + 8);
    if (!always && first === this.first && shown === this.shown) return;
    this.first = first;
    this.shown = shown;
    this.rows.style.transform = `translateY(${first * this.rowHeight}px)`;
    const rows: HTMLElement[] = [];
    for (let i = first; i < first + shown; ++i) rows.push(this.makeRow(i));
    patchChildren(this.rows, rows);
  }
}
