// What is chosen beside the program: how it is read, and on what it runs. An empty text leaves it to the program.
export const kKinds = ['js', 'mjs', 'json'] as const;
export type Kind = (typeof kKinds)[number];

// What runs a program: a version of Node, libuv alone, a page in a browser, or a model of I/O.
export const kFamilies = ['node', 'libuv', 'page', 'io'] as const;
export type Family = (typeof kFamilies)[number];

export function familyOf(runtime: string): Family {
  if (runtime === 'io') return 'io';
  if (/^(?:chrome|firefox)/.test(runtime)) return 'page';
  return runtime.startsWith('libuv-') ? 'libuv' : 'node';
}

export const hasPool = (family: Family): boolean => family === 'node' || family === 'libuv';

export interface Settings {
  kind: Kind;
  version: string; // node-24, chrome
  machine: string; // laptop
  load: string; // 0.5
  threads: string;
  seed: string;
}

export const kDefaults: Settings = { kind: 'js', version: '', machine: '', load: '', threads: '', seed: '' };

// The form of each, so that no other text comes into the words of a command. Whether such a version exists, or such a
// machine, is for the engine to say.
const kForms: { readonly [K in Exclude<keyof Settings, 'kind'>]: RegExp } = {
  version: /^(?:node-\d{1,3}|libuv-\d{1,3}\.\d{1,3}|(?:chrome|firefox)(?:-\d{1,4})?|io)$/,
  machine: /^[a-z][a-z0-9-]{0,31}$/,
  load: /^(0|1|0?\.\d{1,6})$/,
  threads: /^[1-9]\d{0,3}$/,
  seed: /^\d{1,20}$/,
};

export function isSetting(name: keyof Settings, value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (name === 'kind') return (kKinds as readonly string[]).includes(value);
  return value === '' || kForms[name].test(value);
}

export function fileName(kind: Kind): string {
  return kind === 'json' ? 'scenario.json' : `program.${kind}`;
}

export function kindOfName(name: string): Kind {
  if (name.endsWith('.json')) return 'json';
  return name.endsWith('.mjs') ? 'mjs' : 'js';
}

// The words of a command line that say what is chosen.
export function optionsOf(settings: Settings): string[] {
  const words: string[] = [];
  const add = (option: string, value: string): void => {
    if (value) words.push(option, value);
  };
  add('--runtime', settings.version);
  add('--machine', settings.machine);
  add('--load', settings.load);
  add('--threads', settings.threads);
  add('--seed', settings.seed);
  return words;
}
