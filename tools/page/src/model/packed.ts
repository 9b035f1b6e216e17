// A packed list of texts, which are JSON: sim/page/packing.cpp writes it, and says what it is made of. Its blocks are
// read when they are asked for.
const kBlock = 1024;
const kShared = 4;
const kCopy = 11;

// Literals, and for each number where it is among those of its text, and its decimals.
type Parts = (string | [place: number, decimals: number])[];

interface Field {
  key: string;
  value: unknown; // if it is the same in all texts
  parts: Parts | null; // what it is made of, if there are numbers in it
  place: number; // of the number that it is; -1: it is none
}
interface Template {
  size: number; // numbers
  parts: Parts;
  fields: Field[]; // of an object
  kind: string; // `ev`; no template is that of two
}
interface Block {
  templates: Template[]; // by text
  begins: Uint32Array; // by text: of its numbers
  values: Float64Array;
}

function templateOf(text: string): Template {
  const decimals: number[] = []; // of the numbers so far
  const partsOf = (piece: string): Parts =>
    piece.split(/([\x01-\x1f])/).map((part, i) => {
      if (i % 2 === 0) return part;
      const code = part.charCodeAt(0);
      const place = code < kCopy ? decimals.push(code - 1) - 1 : code - kCopy;
      return [place, decimals[place] ?? 0];
    });
  const fields = [...text.matchAll(/"(\w+)":("(?:[^"\\]|\\.)*"|[^,}]*)/g)].map(([, key = '', raw = '']): Field => {
    const parts = partsOf(raw);
    if (parts.length === 1) return { key, value: JSON.parse(raw), parts: null, place: -1 };
    const [before, number, after] = parts;
    const isNumber = parts.length === 3 && !before && !after && typeof number === 'object' && !number[1];
    return { key, value: null, parts, place: isNumber ? number[0] : -1 };
  });
  decimals.length = 0;
  const parts = partsOf(text);
  const kind = String(fields.find(({ key }) => key === 'ev')?.value);
  return { size: decimals.length, parts, fields, kind };
}

const textOf = (parts: Parts, values: Float64Array, begin: number): string =>
  parts.map((part) => (typeof part === 'string' ? part : (values[begin + part[0]] / 10 ** part[1]).toFixed(part[1]))).join('');

export class Packed {
  readonly length: number;
  private readonly blocks: (string | Block)[];
  private readonly templates: Template[];

  constructor(packed: string) {
    const lines = packed.split('\n');
    this.templates = (JSON.parse(lines.pop() ?? '') as string[]).map(templateOf);
    this.blocks = lines;
    const last = lines.length - 1;
    this.length = last * kBlock + this.block(last * kBlock).templates.length;
  }

  // The value of a text, and that of one which is an object without others in it.
  value(i: number): unknown {
    const { templates, begins, values } = this.block(i);
    return JSON.parse(textOf(templates[i % kBlock].parts, values, begins[i % kBlock]));
  }
  object(i: number): Record<string, unknown> {
    const { templates, begins, values } = this.block(i);
    const begin = begins[i % kBlock];
    const object: Record<string, unknown> = {};
    for (const { key, value, parts, place } of templates[i % kBlock].fields)
      object[key] = place >= 0 ? values[begin + place] : parts ? JSON.parse(textOf(parts, values, begin)) : value;
    return object;
  }

  // The first number of a text.
  first(i: number): number {
    const { begins, values } = this.block(i);
    return values[begins[i % kBlock]];
  }
  // The `ev` of an event.
  kind(i: number): string {
    return this.block(i).templates[i % kBlock].kind;
  }

  // The one in which the text at this place is.
  private block(place: number): Block {
    const number = Math.floor(place / kBlock);
    const text = this.blocks[number];
    if (typeof text !== 'string') return text;
    const templates: Template[] = [];
    const begins = new Uint32Array(kBlock);
    const values = new Float64Array(text.length); // each has a character at least
    const shared = new Float64Array(kShared);
    const others = new Map<Template, Float64Array>();
    let count = 0;
    let before = shared;
    let i = 0; // the number of its text that is next
    let size = 0;
    for (let at = 0; at < text.length; ) {
      const first = text.charCodeAt(at++) - 63;
      let value = first & 31;
      let digit = first;
      for (let scale = 32; digit > 31; scale *= 32) {
        digit = text.charCodeAt(at++) - 63;
        value += (digit & 31) * scale;
      }
      if (i < size) {
        const half = Math.floor(value / 2); // of a number below 0 an odd one is written
        values[count++] = (i < kShared ? shared : before)[i] += first & 1 ? -1 - half : half;
        ++i;
        continue;
      }
      const template = this.templates[value];
      begins[templates.length] = count;
      templates.push(template);
      [i, size] = [0, template.size];
      before = others.get(template) ?? new Float64Array(size);
      others.set(template, before);
    }
    return (this.blocks[number] = { templates, begins, values: values.slice(0, count) });
  }
}
