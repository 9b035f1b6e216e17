// What a link holds: the program, the settings, the place in the run. #1.DATA is version 1 of the form, in which DATA is
// JSON, compressed, in base64url; #embed.1.DATA shows the run alone. A form that has been given out is read for ever: a
// change of the form is a new version, with a reader of its own beside this one.
//
// A link comes from anywhere. It is read within bounds, each of its values must have its form, and nothing of it becomes
// markup: the program goes into the editor and to the engine as text.
import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate';
import type { Language } from '../i18n';
import type { Theme } from '../theme';
import type { Place } from '../viewer';
import { isSetting, kDefaults, type Settings } from './settings';

export interface Shared {
  source: string;
  settings: Settings;
  place: Place | null;
  language: Language | null;
  theme: Theme | null;
  isEmbedded: boolean;
  lesson?: number; // of the tour, from 1
  view?: string[]; // what is shown of the run, if not the run itself: the name of a view, and what is chosen in it
}

export type Refusal = 'none' | 'version' | 'large' | 'broken'; // none: the address holds no program

export const kVersion = 1;
export const kMostLink = 200_000; // characters of the fragment
export const kMostSource = 1_000_000; // bytes of what it holds

// In version 1: one letter for each setting.
const kKeys = { kind: 'k', version: 'r', machine: 'm', load: 'l', threads: 't', seed: 'n' } as const;
const kPiece = 512; // bytes that are decompressed at once: at most half a megabyte comes of them

export function writeShared(shared: Shared): string {
  const data: Record<string, unknown> = { s: shared.source };
  for (const [name, key] of Object.entries(kKeys) as [keyof Settings, string][])
    if (shared.settings[name] !== kDefaults[name]) data[key] = shared.settings[name];
  if (shared.place) data.e = shared.place.stop ? [shared.place.event, shared.place.stop] : [shared.place.event];
  if (shared.lesson) data.o = shared.lesson;
  if (shared.view) data.v = shared.view;
  if (shared.language) data.g = shared.language;
  if (shared.theme) data.h = shared.theme;
  const bytes = deflateSync(strToU8(JSON.stringify(data)), { level: 9 });
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `#${shared.isEmbedded ? 'embed.' : ''}${kVersion}.${text}`;
}

export function readShared(hash: string): Shared | Refusal {
  if (hash.length > kMostLink) return 'large';
  const [, embed, version, text] = /^#(embed\.)?(\d{1,9})\.(.*)$/s.exec(hash) ?? [];
  if (version === undefined || text === undefined) return hash.length > 1 ? 'broken' : 'none';
  if (Number(version) !== kVersion) return 'version';
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return 'broken';
  let data: unknown;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = inflate(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
    if (bytes === null) return 'large';
    data = JSON.parse(strFromU8(bytes));
  } catch {
    return 'broken';
  }
  const shared = readData(data);
  return shared ? { ...shared, isEmbedded: embed !== undefined } : 'broken';
}

// Null if it is more than a link may hold. Throws on what is not whole.
function inflate(bytes: Uint8Array): Uint8Array | null {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  const inflater = new Inflate((piece, isLast) => {
    pieces.push(piece);
    size += piece.length;
    isWhole ||= isLast;
  });
  for (let at = 0; at < bytes.length; at += kPiece) {
    inflater.push(bytes.subarray(at, at + kPiece), at + kPiece >= bytes.length);
    if (size > kMostSource) return null;
  }
  if (!isWhole) throw new Error('the link ends in the middle');
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

// The name of a view, and short texts that it knows, or takes for none.
function isView(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= 4 &&
    value.every((one) => typeof one === 'string' && one.length <= 200) &&
    /^[a-z]{1,20}$/.test(String(value[0]))
  );
}

function readData(data: unknown): Omit<Shared, 'isEmbedded'> | null {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null;
  const map = new Map<string, unknown>(Object.entries(data));
  const source = map.get('s');
  if (typeof source !== 'string') return null;
  const settings = { ...kDefaults };
  for (const [name, key] of Object.entries(kKeys) as [keyof Settings, string][]) {
    if (!map.has(key)) continue;
    const value = map.get(key);
    if (!isSetting(name, value)) return null;
    Object.assign(settings, { [name]: value });
  }
  let place: Place | null = null;
  if (map.has('e')) {
    const at = map.get('e');
    if (
      !Array.isArray(at) ||
      at.length < 1 ||
      at.length > 2 ||
      !at.every((one) => Number.isSafeInteger(one) && one >= 0)
    )
      return null;
    place = { event: Math.max(1, at[0] as number), stop: (at[1] as number | undefined) ?? 0 };
  }
  const [language, theme] = [map.get('g') ?? null, map.get('h') ?? null];
  if (language !== null && language !== 'en' && language !== 'zh') return null;
  if (theme !== null && theme !== 'light' && theme !== 'dark') return null;
  const shared: Omit<Shared, 'isEmbedded'> = { source, settings, place, language, theme };
  const [lesson, view] = [map.get('o'), map.get('v')];
  if (lesson !== undefined) {
    if (!Number.isInteger(lesson) || (lesson as number) < 1 || (lesson as number) > 99) return null;
    shared.lesson = lesson as number;
  }
  if (view !== undefined) {
    if (!isView(view)) return null;
    shared.view = view;
  }
  return shared;
}
