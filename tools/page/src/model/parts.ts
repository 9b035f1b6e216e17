// Which step of the document an event is about, and which body a callback has.
import type { Part, TraceEvent } from './types';

export class PartFinder {
  private readonly steps = new Map<string, Part>(); // by position
  private readonly bodies = new Map<string, Part[]>(); // by name
  private readonly all: Part[]; // bodies, inner before outer

  constructor(parts: Part[]) {
    this.all = parts.filter((part) => part.kind === 'body');
    for (const part of parts) {
      if (part.kind === 'step') this.steps.set(`${part.line}:${part.column}`, part);
      else add(this.bodies, part.name, part);
    }
  }

  // The body of a callback: the one that its step hands over, the async function around its `await`, or a function's.
  body(name: string, line = 0, column = 0): Part | null {
    const list = this.bodies.get(name) ?? [];
    const step = this.at(line, column);
    if (!step) return list[0] ?? null;
    // Inner parts come first: the outermost is the step's own.
    const inside = list.filter((part) => contains(step, part));
    return inside[inside.length - 1] ?? list.find((part) => contains(part, step)) ?? list[0] ?? null;
  }

  // The innermost body around a step: not that of the callback which runs, when that calls a function.
  around(step: Part): Part | null {
    return this.all.find((part) => contains(part, step)) ?? null;
  }

  step(event: TraceEvent): Part | null {
    return this.at(event.line ?? 0, event.column ?? 0);
  }

  private at(line: number, column: number): Part | null {
    return this.steps.get(`${line}:${column}`) ?? null;
  }
}

function add<K>(map: Map<K, Part[]>, key: K, part: Part): void {
  const list = map.get(key);
  if (list) list.push(part);
  else map.set(key, [part]);
}

function contains(outer: Part, inner: Part): boolean {
  const after = inner.line > outer.line || (inner.line === outer.line && inner.column >= outer.column);
  const before =
    inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endColumn <= outer.endColumn);
  return after && before;
}
