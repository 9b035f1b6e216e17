// Helpers to create elements. Strings become text nodes, never markup.
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;
type Child = Node | string | null | undefined | false;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

// Calls `act` with the size of what is inside an element whenever that changes; hidden, it is 0.
export function onResize(element: Element, ends: AbortSignal, act: (width: number, height: number) => void): void {
  const observer = new ResizeObserver((entries) => {
    const size = entries[entries.length - 1]?.contentRect;
    if (size) act(size.width, size.height);
  });
  observer.observe(element);
  ends.addEventListener('abort', () => observer.disconnect(), { once: true });
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

// Replaces an element's children and keeps those that are equal, with their listeners: the browser styles and lays out only what
// has changed. What a listener depends on must be in the attributes or the text.
export function patchChildren(element: Element, children: Node[]): void {
  const former = [...element.childNodes];
  children.forEach((child, i) => {
    const old = former[i];
    if (!old) element.append(child);
    else patch(old, child);
  });
  for (const old of former.slice(children.length)) old.remove();
}

function patch(old: ChildNode, next: Node): void {
  if (old.isEqualNode(next)) return;
  if (!(old instanceof Element && next instanceof Element && old.cloneNode().isEqualNode(next.cloneNode())) || next.childElementCount === 0)
    old.replaceWith(next);
  else patchChildren(old, [...next.childNodes]);
}
