// The scenario that a program and what is chosen beside it stand for: running it gives the same trace, but for the places in the text of
// a scenario, which is written anew.
import { fileName, type Settings } from './settings';

type Json = Record<string, unknown>;

// A member that may be a name, as an object in which that is `key`.
function asObject(value: unknown, key: string): Json {
  if (typeof value === 'string') return { [key]: value };
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function withSettings(document: Json, { version, machine, load, threads, seed }: Settings): Json {
  const chosen: Json = {};
  if (threads) chosen.runtime = { ...asObject(document.runtime, 'profile'), ...(version && { profile: version }), threadpool: Number(threads) };
  else if (version)
    chosen.runtime = typeof document.runtime === 'object' ? { ...document.runtime, profile: version } : version;
  if (load) chosen.machine = { ...asObject(machine || document.machine, 'preset'), load: Number(load) };
  else if (machine) chosen.machine = machine;
  if (seed) chosen.seed = seed; // digits: a number may have more of them than JavaScript's hold
  // In place where they are; others first, before a long program.
  const added = Object.entries(chosen).filter(([key]) => !(key in document));
  return { ...Object.fromEntries(added), ...document, ...chosen };
}

// null: `source` is a scenario that cannot be read.
export function scenarioText(source: string, settings: Settings): string | null {
  const { kind, seed } = settings;
  if (kind === 'json' && !Object.entries(settings).some(([name, value]) => name !== 'kind' && value)) return source;
  let document: Json;
  try {
    document = kind === 'json' ? (JSON.parse(source) as Json) : { script: { file: fileName(kind), text: source } };
  } catch {
    return null;
  }
  const text = JSON.stringify(withSettings(document, settings), null, 2);
  return `${seed ? text.replace(/^ {2}"seed": "(\d+)"/m, '  "seed": $1') : text}\n`;
}
