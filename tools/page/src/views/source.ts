// The scenario and its JavaScript side by side, with the current step marked in both. A program that is JavaScript is shown
// as it is: the line where it is, and those from which it was called.
import type { Context, View } from '../context';
import { h, onResize, setText } from '../dom';
import { answersOf } from '../model/answers';
import { PartFinder } from '../model/parts';
import type { State } from '../model/state';
import type { Part, Run, TraceEvent } from '../model/types';
import { jsonLine, scriptLine } from './highlight';
import { panel } from './panel';

interface Place {
  first: number;
  last: number;
  column?: [number, number]; // in characters; if the part is on a single line
}

// The CSS Custom Highlight API marks a part of a line without an element. Where the browser lacks it, only the line is
// marked. A highlight belongs to the whole page, each mark to one listing.
class Mark {
  private readonly highlight: Highlight | null = null;
  private range: Range | null = null;

  constructor(name: string, ends: AbortSignal) {
    if (typeof Highlight === 'undefined' || !CSS.highlights) return;
    this.highlight = CSS.highlights.get(name) ?? new Highlight();
    CSS.highlights.set(name, this.highlight);
    ends.addEventListener('abort', () => this.set(null), { once: true });
  }

  set(range: Range | null): void {
    if (this.range) this.highlight?.delete(this.range);
    if (range) this.highlight?.add(range);
    this.range = range;
  }
}

function rangeIn(element: Element, from: number, to: number): Range {
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let at = 0;
  range.selectNodeContents(element);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const size = node.textContent?.length ?? 0;
    if (from >= at && from <= at + size) range.setStart(node, from - at);
    if (to >= at && to <= at + size) {
      range.setEnd(node, to - at);
      break;
    }
    at += size;
  }
  return range;
}

class Listing {
  readonly element: HTMLElement;
  readonly title = h('h3', {});
  private readonly scroller: HTMLElement;
  private readonly inner = h('div', { class: 'listing-inner' });
  private readonly lines: HTMLElement[] = [];
  private texts: string[] = [];
  private marked: HTMLElement[] = [];
  private seen: Place | null = null;
  private height = 0; // 0: not shown
  private begun: Place | null = null; // the first place, to be seen before the present one as soon as the listing is shown
  private hasMoved = false; // since settle()

  constructor(
    private readonly make: (text: string) => Node[],
    label: string,
    ends: AbortSignal,
    private readonly stepMark: Mark | null = null,
  ) {
    this.scroller = h('div', { class: 'listing-lines', tabindex: '0', role: 'group', 'aria-label': label }, this.inner);
    this.element = h('div', { class: 'listing' }, this.title, this.scroller);
    onResize(this.scroller, ends, (_width, height) => {
      this.height = height;
      this.reveal();
    });
  }

  // Lists this text from now on. Lines that are the same stay in the page as they are: most are, while a program is typed.
  list(texts: string[]): void {
    this.mark(null, null);
    this.seen = this.begun = null;
    this.hasMoved = false;
    texts.forEach((text, i) => {
      const known = this.lines[i];
      if (known === undefined) this.lines.push(this.lineOf(text, i));
      else if (text !== this.texts[i]) known.replaceWith((this.lines[i] = this.lineOf(text, i)));
    });
    for (const line of this.lines.splice(texts.length)) line.remove();
    this.inner.append(...this.lines.slice(this.inner.childElementCount));
    this.texts = texts;
  }

  private lineOf(text: string, i: number): HTMLElement {
    const code = h('code', {}, ...this.make(text));
    code.style.setProperty('--hang', `${Math.min(24, text.search(/\S|$/) + 2)}ch`); // hanging indent when wrapped
    return h('div', { class: 'line' }, h('span', { class: 'line-number', 'aria-hidden': 'true' }, String(i + 1)), code);
  }

  // Lines that give the answers away while the viewer predicts.
  coverable([first, last]: [number, number]): void {
    this.lines.forEach((line, i) => line.classList.toggle('is-answer', i >= first && i < last));
  }

  setTitle(text: string): void {
    setText(this.title, text);
    this.scroller.setAttribute('aria-label', text);
  }

  mark(step: Place | null, body: Place | null): void {
    for (const line of this.marked) {
      line.classList.remove('is-step', 'is-body');
      line.removeAttribute('aria-current');
    }
    this.marked = [];
    this.stepMark?.set(null);
    if (body) this.each(body, (line) => line.classList.add('is-body'));
    if (step) {
      this.each(step, (line) => line.classList.add('is-step'));
      const first = this.lines[step.first - 1];
      first?.setAttribute('aria-current', 'step');
      const code = first?.querySelector('code');
      if (step.column && code) this.stepMark?.set(rangeIn(code, step.column[0], step.column[1]));
    }
    this.seen = step ?? body ?? this.seen;
    this.hasMoved ||= (step ?? body) !== null;
  }

  settle(): void {
    if (this.hasMoved) this.reveal();
    this.hasMoved = false;
  }

  markLines(step: number, around: number[]): void {
    this.mark(step ? { first: step, last: step } : null, null);
    for (const line of around) this.each({ first: line, last: line }, (one) => one.classList.add('is-body'));
  }

  private each(range: Place, visit: (line: HTMLElement) => void): void {
    for (let i = range.first; i <= Math.min(range.last, this.texts.length); ++i) {
      const line = this.lines[i - 1];
      if (!line) continue;
      visit(line);
      this.marked.push(line);
    }
  }

  private reveal(): void {
    if (!this.seen) return;
    if (this.height === 0) {
      this.begun ??= this.seen;
      return;
    }
    if (this.begun) this.scrollTo(this.begun);
    this.begun = null;
    this.scrollTo(this.seen);
  }

  private scrollTo(range: Place): void {
    const first = this.lines[range.first - 1];
    const last = this.lines[Math.min(range.last, this.texts.length) - 1];
    const { height } = this;
    if (!first || !last || height === 0) return;
    const top = first.offsetTop;
    const bottom = Math.min(last.offsetTop + last.offsetHeight, top + height * 0.6);
    const seen = this.scroller.scrollTop;
    if (top < seen + 8 || bottom > seen + height - 8) this.scroller.scrollTop = Math.max(0, top - height * 0.3);
  }
}

export interface SourceView extends View {
  readonly line: number; // of the document, where the run is; 0: nowhere
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

// `isElsewhere`: the program stands beside the viewer already, so nothing is listed; its line is told all the same.
export function sourceView(context: Context, isElsewhere: (run: Run) => boolean): SourceView {
  const { model, tr } = context;
  const box = panel(context, 'source', 'panel.source');
  const fileName = h('span', { class: 'file-name' });
  box.head.append(fileName);
  let documentLines: string[] = [];
  let json: Listing | null = null;
  let script: Listing | null = null;
  let finder = new PartFinder(model.run.parts);
  let listed: Run | null = null;
  let ends = new AbortController(); // of the two listings
  context.ends.addEventListener('abort', () => ends.abort(), { once: true });

  const load = (): void => {
    const { run } = model;
    finder = new PartFinder(run.parts);
    setText(fileName, run.file);
    const isSame = run.document === listed?.document && run.script === listed.script;
    if (isSame && (json || script || isElsewhere(run))) return;
    listed = run;
    documentLines = linesOf(run.document);
    const isPlain = run.isScript && run.document === run.script;
    isFirst = true;
    if (isElsewhere(run) || !script || isPlain !== (json === null)) makeListings(run, isPlain);
    script?.list(linesOf(run.script));
    json?.list(documentLines);
    json?.coverable(answersOf(documentLines));
  };
  const makeListings = (run: Run, isPlain: boolean): void => {
    ends.abort();
    ends = new AbortController();
    box.element.classList.toggle('is-plain', isPlain);
    json = script = null;
    box.body.replaceChildren();
    if (isElsewhere(run)) return;
    script = new Listing(scriptLine, scriptTitle(), ends.signal);
    if (!isPlain) json = new Listing(jsonLine, tr.t('panel.json'), ends.signal, new Mark('current-step', ends.signal));
    if (json) box.body.append(json.element);
    box.body.append(script.element);
    setTitles();
  };
  const scriptTitle = (): string => tr.t(model.isLibuvAlone ? 'panel.c' : 'panel.script');
  const setTitles = (): void => {
    json?.setTitle(tr.t('panel.json'));
    script?.setTitle(scriptTitle());
  };

  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  // Columns of parts are in bytes, those of the page in characters.
  const characters = (line: number, column: number): number => {
    const text = documentLines[line - 1] ?? '';
    return decoder.decode(encoder.encode(text).slice(0, column - 1)).length;
  };
  const inDocument = (part: Part): Place => {
    const range: Place = { first: part.line, last: part.endLine };
    if (part.line === part.endLine)
      range.column = [characters(part.line, part.column), characters(part.line, part.endColumn)];
    return range;
  };
  const inScript = (part: Part): Place => ({ first: part.first, last: part.last });

  let shownLine = 0;
  let isFirst = true;
  load();
  // Of a program in JavaScript: the line of this moment, and the lines of the calls around it.
  const showLines = (state: State, stop: number, event: TraceEvent): void => {
    const frames = model.program.framesAt(state.n, stop);
    const own = event.line && !event.file ? event.line : 0;
    const line = own || (frames[0]?.at && !frames[0].at.file ? (frames[0].at.line ?? 0) : 0);
    const around = frames.slice(1).flatMap(({ at }) => (at?.line && !at.file ? [at.line] : []));
    script?.markLines(line, around);
    shownLine = line;
  };

  // Initially the listings are scrolled to the program, past its description.
  const show = (state: State, event: TraceEvent): void => {
    const whole = isFirst ? finder.body('main') : null;
    isFirst = false;
    if (whole) {
      json?.mark(null, inDocument(whole));
      script?.mark(null, inScript(whole));
    }
    const id =
      event.ev === 'callback_begin' || event.ev === 'callback_end'
        ? (event.id ?? 0)
        : (state.stack[state.stack.length - 1] ?? 0);
    const callback = model.callback(id);
    const step = finder.step(event);
    const running = callback ? finder.body(callback.name, callback.line, callback.column) : null;
    const body = (step && finder.around(step)) ?? running;
    shownLine = step?.line ?? (event.ev === 'callback_end' ? body?.endLine : event.ev === 'callback_begin' ? body?.line : 0) ?? 0;
    if (step) {
      json?.mark(inDocument(step), body && inDocument(body));
      script?.mark(inScript(step), body && inScript(body));
    } else if (body && event.ev === 'callback_begin') {
      json?.mark({ first: body.line, last: body.line }, inDocument(body));
      script?.mark({ first: body.first, last: body.first }, inScript(body));
    } else if (body && event.ev === 'callback_end') {
      json?.mark({ first: body.endLine, last: body.endLine }, inDocument(body));
      script?.mark({ first: body.last, last: body.last }, inScript(body));
    } else {
      json?.mark(null, body && inDocument(body));
      script?.mark(null, body && inScript(body));
    }
  };

  return {
    element: box.element,
    get line() {
      return shownLine;
    },
    load,
    translate: () => {
      box.translate();
      setTitles();
    },
    show: ({ state, stop, step }) => {
      if (model.run.isScript) showLines(state, stop, step ?? state.event);
      else show(state, step ?? state.event);
    },
    settle: () => {
      json?.settle();
      script?.settle();
    },
  };
}
