// What the JSON schema of the scenario language allows at a place: keys and values, for the editor's completion. The schema is
// that of `loopsim schema`, which the page has as a text; of JSON Schema this reads what stands in it.
export interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  prefixItems?: Schema[];
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  default?: unknown;
  type?: string | string[];
  description?: string;
  title?: string;
  $defs?: Record<string, Schema>;
}

export type Step = string | number; // a key of an object, or a place in an array

export interface Proposal {
  label: string; // as it stands in the document
  insert: string;
  about: string;
}

const kMostSchemas = 400;

export class SchemaReader {
  constructor(private readonly root: Schema) {}

  // The keys that an object at `path` may still have. Of several kinds of objects those that have the keys that are there;
  // in an empty one, first what each kind must have.
  keys(path: Step[], present: string[]): Proposal[] {
    const objects = this.at(path).filter(({ properties }) => properties);
    const fitting = objects.filter(
      ({ properties = {}, additionalProperties }) =>
        additionalProperties !== false || present.every((key) => key in properties),
    );
    const kinds = fitting.length ? fitting : objects;
    const found = new Map<string, Proposal>();
    for (const kind of kinds) {
      const { properties = {}, required = [] } = kind;
      const first = present.length === 0 && kinds.length > 2 && required.length > 0;
      for (const [key, value] of Object.entries(properties)) {
        if (present.includes(key) || found.has(key) || (first && key !== required[0])) continue;
        const others = first ? required.slice(1) : [];
        const text = [key, ...others].map((one) => `${JSON.stringify(one)}: ${this.valueFor(kind, one)}`).join(', ');
        found.set(key, { label: JSON.stringify(key), insert: text, about: value.description ?? kind.description ?? '' });
      }
    }
    return [...found.values()];
  }

  // The values that the schema names for a place.
  values(path: Step[]): Proposal[] {
    const found = new Map<string, Proposal>();
    const add = (value: unknown, about: string): void => {
      if (typeof value === 'object' && value !== null) return;
      const text = JSON.stringify(value);
      if (!found.has(text)) found.set(text, { label: text, insert: text, about });
    };
    for (const { enum: all = [], const: one, examples = [], default: usual, type, description = '' } of this.at(path)) {
      for (const value of all) add(value, description);
      if (one !== undefined) add(one, description);
      if (usual !== undefined) add(usual, description);
      for (const value of examples) add(value, description);
      if (type === 'boolean') for (const value of [true, false]) add(value, description);
    }
    return [...found.values()];
  }

  private at(path: Step[]): Schema[] {
    let here = this.expand([this.root]);
    for (const step of path) {
      const next: Schema[] = [];
      for (const { properties, additionalProperties, items, prefixItems } of here) {
        if (typeof step === 'string') {
          const own = properties?.[step];
          if (own) next.push(own);
          else if (typeof additionalProperties === 'object') next.push(additionalProperties);
        } else {
          const own = prefixItems?.[step] ?? items;
          if (own) next.push(own);
        }
      }
      here = this.expand(next);
    }
    return here;
  }

  // With what is referred to, and all alternatives.
  private expand(schemas: Schema[]): Schema[] {
    const seen = new Set<Schema>();
    const open = [...schemas];
    for (let one = open.shift(); one && seen.size < kMostSchemas; one = open.shift()) {
      if (seen.has(one)) continue;
      seen.add(one);
      const { $ref, anyOf = [] } = one;
      const named = $ref?.startsWith('#/$defs/') ? this.root.$defs?.[$ref.slice('#/$defs/'.length)] : undefined;
      open.push(...(named ? [named] : []), ...anyOf);
    }
    return [...seen];
  }

  // A first value: that of the example, if it is short; otherwise an empty one of its type.
  private valueFor(kind: Schema, key: string): string {
    const example = (kind.examples?.[0] as Record<string, unknown> | undefined)?.[key];
    if (Array.isArray(example)) return '[]';
    if (typeof example === 'object' && example !== null) return '{}';
    if (example !== undefined) return JSON.stringify(example);
    const types = this.expand([kind.properties?.[key] ?? {}]).flatMap(({ type = [], enum: all }) => (all ? ['string'] : type));
    if (types[0] === 'array') return '[]';
    if (types[0] === 'object') return '{}';
    if (types[0] === 'boolean') return 'true';
    return types[0] === 'string' ? '""' : '';
  }
}
