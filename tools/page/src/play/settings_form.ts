// The controls beside the program: language, what runs it, machine, load, threads of the pool, seed.
import { h } from '../dom';
import type { Translator } from '../i18n';
import { familyOf, hasPool, isSetting, kFamilies, kKinds, type Family, type Kind, type Settings } from './settings';
import { sayWith, type PlayWord, type Say } from './words';

export interface Choice {
  value: string;
  label: string;
  about: string;
}

// The versions, by what they are versions of; only those of `open` can be chosen.
export function versionGroups(say: Say, choices: Choice[], open: (family: Family) => boolean): HTMLElement[] {
  return kFamilies.flatMap((family) => {
    const own = choices.filter(({ value }) => familyOf(value) === family);
    if (own.length === 0) return [];
    const options = own.map((one) => h('option', { value: one.value, title: one.about || null }, one.label));
    return [h('optgroup', { label: say(`version.${family}`), disabled: !open(family) }, ...options)];
  });
}

export interface SettingsForm {
  readonly element: HTMLElement;
  readonly settings: Settings;
  set(settings: Settings): void;
  setChoices(name: 'version' | 'machine', choices: Choice[]): void;
  setRuntime(runtime: string): void; // what has run the program, if nothing is chosen
  translate(): void;
}

type Field = HTMLSelectElement | HTMLInputElement;

export function settingsForm(tr: Translator, start: Settings, onChange: (name: keyof Settings) => void): SettingsForm {
  const say = sayWith(tr);
  let settings = start;
  let runtime = '';
  const choices: Record<'version' | 'machine', Choice[]> = { version: [], machine: [] };
  const labels: [HTMLElement, PlayWord][] = [];

  const field = <T extends Field>(name: keyof Settings, word: PlayWord, control: T): T => {
    const text = h('span', {});
    labels.push([text, word]);
    control.dataset.setting = name;
    control.addEventListener(control instanceof HTMLSelectElement ? 'change' : 'input', () => {
      const value = control.value.trim();
      const isRight = isSetting(name, value);
      control.setCustomValidity(isRight ? '' : say('setting.wrong', value));
      control.setAttribute('aria-invalid', String(!isRight));
      if (!isRight) return;
      settings = { ...settings, [name]: value };
      if (name === 'kind') fill(version, 'version');
      showPool();
      onChange(name);
    });
    element.append(h('label', { class: `play-setting is-${name}` }, text, control));
    return control;
  };
  const element = h('div', { class: 'play-settings', role: 'group' });
  const kind = field('kind', 'kind.label', h('select', {}, ...kKinds.map((value) => h('option', { value }))));
  const version = field('version', 'version.label', h('select', {}));
  const machine = field('machine', 'machine.label', h('select', {}));
  const text = { type: 'text', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', maxlength: 20 };
  const load = field('load', 'load.label', h('input', { ...text, size: 5 }));
  const threads = field('threads', 'threads.label', h('input', { ...text, inputmode: 'numeric', size: 4 }));
  const seed = field('seed', 'seed.label', h('input', { ...text, inputmode: 'numeric', size: 8 }));

  function fill(control: HTMLSelectElement, name: 'version' | 'machine'): void {
    const known = choices[name];
    const value = settings[name];
    // What a link names is shown, known or not: the engine says what is wrong with it.
    const extra = value && !known.some((one) => one.value === value) ? [{ value, label: value, about: '' }] : [];
    const list = [...known, ...extra];
    // A program in JavaScript is one of Node or of a page.
    const isOpen = (family: Family): boolean => settings.kind === 'json' || family === 'node' || family === 'page';
    control.replaceChildren(
      h('option', { value: '', title: say('setting.ownLong') }, say('setting.own')),
      ...(name === 'version'
        ? versionGroups(say, list, isOpen)
        : list.map((one) => h('option', { value: one.value, title: one.about || null }, one.label))),
    );
    control.value = value;
  }
  function showPool(): void {
    if (threads.parentElement) threads.parentElement.hidden = !hasPool(familyOf(settings.version || runtime));
  }
  function show(): void {
    kind.value = settings.kind;
    fill(version, 'version');
    fill(machine, 'machine');
    showPool();
    for (const [control, value] of [
      [load, settings.load],
      [threads, settings.threads],
      [seed, settings.seed],
    ] as const) {
      if (control.value !== value) control.value = value;
      control.setCustomValidity('');
      control.setAttribute('aria-invalid', 'false');
    }
  }
  function translate(): void {
    element.setAttribute('aria-label', say('settings.label'));
    for (const [label, word] of labels) label.textContent = say(word);
    for (const option of kind.options) option.textContent = say(`kind.${option.value as Kind}`);
    load.title = say('load.hint');
    for (const control of [load, threads, seed]) control.placeholder = say('setting.own');
    fill(version, 'version');
    fill(machine, 'machine');
  }
  translate();
  show();
  return {
    element,
    get settings() {
      return settings;
    },
    set: (next) => {
      settings = next;
      show();
    },
    setChoices: (name, next) => {
      choices[name] = next;
      fill(name === 'version' ? version : machine, name);
    },
    setRuntime: (name) => {
      runtime = name;
      showPool();
    },
    translate,
  };
}
