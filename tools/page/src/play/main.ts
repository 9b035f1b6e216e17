// Assembles the playground: the editor and its settings, the engine behind them, the viewer of what it has run, the address.
import '../style.css';
import './play.css';
import { h } from '../dom';
import { Translator, type Language } from '../i18n';
import type { Run } from '../model/types';
import { ThemeChoice } from '../theme';
import { icon } from '../views/icons';
import { mountViewer, type Look, type Place, type Viewer } from '../viewer';
import { makeEditor } from './editor';
import { Engine, NotRun } from './engine';
import { engineModule } from './engine_module';
import { compareView, type Compared } from './compare_view';
import { drawingOf, isDrawing, type Drawing } from './drawing';
import type { Job, Outcome } from './engine_protocol';
import { makeWorker } from './worker';
import { galleryDialog } from './gallery';
import { ordersView } from './orders_view';
import { embedded, wholePage } from './page_texts';
import { lessons, tourPanel } from './tour';
import { problemList } from './problem_list';
import { problemsOf, uncaughtIn, type Problem } from './problems';
import { runOf } from './run_data';
import { Runner } from './runner';
import { SchemaReader, type Schema } from './schema';
import { scenarioText } from './scenario_text';
import { familyOf, fileName, kDefaults, kindOfName, optionsOf, type Settings } from './settings';
import { settingsForm, type Choice } from './settings_form';
import { shareDialog, type Download } from './share_dialog';
import { kMostLink, readShared, writeShared, type Shared } from './share';
import { followServed, servedName } from './served';
import { statusLine } from './status_line';
import { sweepView } from './sweep_view';
import { makeViews } from './views';
import { sayWith } from './words';

const kBound = 10_000; // ms that a run may take
const kRacesDelay = 300; // ms after a picture
const kStartUp = 20_000; // ms more for the first one
const kBounds = ['--max-memory', '512MiB', '--max-steps', '5000000'];
const kPicture = 'picture.html';
const kAddressDelay = 400; // ms; browsers limit how often an address changes
const kStart: Place = { event: 1, stop: 0 };

const kAsks: Record<Language, string> = { en: 'Which line comes first, and why?', zh: '哪一行先输出，为什么？' };
const kFirst = `
const fs = require('fs');

setTimeout(() => console.log('timeout'), 0);
setImmediate(() => console.log('immediate'));
fs.readFile(__filename, () => console.log('file'));
Promise.resolve().then(() => console.log('promise'));
process.nextTick(() => console.log('tick'));
console.log('main');
`;

// What was run: the words in which it is said again for a drawing or a script.
interface Program {
  source: string;
  settings: Settings;
}

function start(root: HTMLElement): void {
  const link = readShared(location.hash);
  const given: Shared | null = typeof link === 'string' ? null : link;
  const ofBrowser: Language = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
  const tr = new Translator(given?.language ?? ofBrowser);
  const theme = new ThemeChoice(given?.theme ?? null);
  const say = sayWith(tr);
  const isEmbedded = given?.isEmbedded ?? false;
  document.documentElement.toggleAttribute('data-embed', isEmbedded);
  const tourIn = (hash: string): number => Number((/^#tour(?:=(\d{1,2}))?$/.exec(hash) ?? ['', '0'])[1] ?? 1);
  const tourWanted = tourIn(location.hash); // by a link to a lesson, without a program; 0: none
  let languageChosen = (given?.language ?? null) !== null;
  let wantedPlace: Place | null = given?.place ?? null; // of a link, for the next picture
  let viewer: Viewer | null = null;
  let look: Look | undefined;
  let drawing: Drawing | null = null; // of a model of I/O, in the place of the viewer
  let picture: { html: string; program: Program; runtime: string; machine: string } | null = null;

  // ---- the engine
  const engine = new Engine(engineModule, makeWorker, kStartUp);
  // Questions about a run have an engine of their own, so that they do not keep what is typed from running.
  const asker = new Engine(engineModule, makeWorker, kStartUp);
  let asking = 0;
  const ask = async ({ words: said, files }: Job): Promise<Outcome> => {
    ++asking;
    showRunning();
    try {
      return await asker.run([...said, ...kBounds], files, kBound);
    } finally {
      --asking;
      showRunning();
    }
  };
  let racing = 0; // a timer
  const runner = new Runner(runOnce, () => engine.stop());
  const program = (): Program => ({ source: editor.text, settings: form.settings });
  const words = (command: string, { settings }: Program, ...more: string[]): string[] => [
    command,
    fileName(settings.kind),
    ...more,
    ...optionsOf(settings),
    ...kBounds,
  ];
  const filesOf = ({ source, settings }: Program): Record<string, string> => ({ [fileName(settings.kind)]: source });

  // ---- elements
  const form = settingsForm(tr, given?.settings ?? kDefaults, (name) => {
    if (name === 'kind') editor.setKind(form.settings.kind);
    changed();
  });
  let schema: SchemaReader | null = null; // read when first asked for
  const readSchema = (): SchemaReader | null => {
    const text = embedded('schema');
    return text === null ? null : (schema ??= new SchemaReader(JSON.parse(text) as Schema));
  };
  const editor = makeEditor({
    tr,
    text: given?.source ?? `// ${kAsks[tr.language]}${kFirst}`,
    kind: form.settings.kind,
    onChange: changed,
    onRun: () => runner.want(0),
    schema: readSchema,
  });
  const status = statusLine(say);
  const problems = problemList(say, (one) => {
    showPane('edit');
    editor.showLine(one);
  });
  const share = shareDialog(
    say,
    'share',
    {
      link: () => linkOf(false),
      embed: embedCode,
      program: () => Promise.resolve({ name: fileName(form.settings.kind), type: 'text/plain', text: editor.text }),
      scenario,
      script,
      page,
      svg,
    },
  );
  const allLessons = lessons();
  const gallery = galleryDialog(
    tr,
    say,
    'gallery',
    allLessons,
    (entry) => {
      tour.close();
      load(entry.source, { ...kDefaults, kind: entry.kind }, kStart);
    },
    (lesson) => tour.open(lesson),
  );
  let willPredict = false; // with the next picture
  const tour = tourPanel({
    tr,
    say,
    all: allLessons,
    load: async ({ entry }) => {
      const one = await gallery.find(entry);
      if (!one) return;
      welcome.hidden = true;
      showPane('edit');
      views.take(['run']);
      willPredict = true;
      load(one.source, { ...kDefaults, kind: one.kind }, kStart);
      if (one.kind === 'json') editor.fold(['description', 'expect']); // they give the answer away
    },
    reveal: () => {
      willPredict = false;
      viewer?.predict(false);
      viewer?.go(kStart);
      drawing?.cover(false);
    },
    onClose: () => keepAddress(),
  });
  const tourButton = h('button', {
    type: 'button',
    class: 'play-button',
    'data-control': 'tour',
    onclick: () => tour.open(1),
  });
  tourButton.hidden = allLessons.length === 0;
  // Who comes without a program is offered the tour.
  const welcomeWords = h('span', {});
  const welcomeStart = h('button', { type: 'button', class: 'play-link', 'data-control': 'welcome', onclick: () => tour.open(1) });
  const welcomeClose = h(
    'button',
    { type: 'button', class: 'control', onclick: () => (welcome.hidden = true) },
    icon('close'),
  );
  const welcome = h('div', { class: 'play-welcome' }, h('p', {}, welcomeWords, ' ', welcomeStart), welcomeClose);
  welcome.hidden = given !== null || allLessons.length === 0 || servedName() !== null || tourWanted > 0;
  const galleryButton = h('button', {
    type: 'button',
    class: 'play-button',
    'data-control': 'gallery',
    onclick: () => void gallery.open(),
  });
  const run = h('button', {
    type: 'button',
    class: 'play-button play-run',
    'data-control': 'run',
    onclick: () => runner.want(0),
  });
  const stop = h('button', {
    type: 'button',
    class: 'play-button play-stop',
    'data-control': 'stop',
    onclick: () => (window.clearTimeout(racing), runner.stop(), asker.stop()),
  });
  const shareButton = h('button', {
    type: 'button',
    class: 'play-button',
    'data-control': 'share',
    onclick: () => share.open(),
  });
  const languageButton = h('button', {
    type: 'button',
    class: 'quiet',
    'data-control': 'language',
    onclick: () => tr.set(tr.language === 'en' ? 'zh' : 'en'),
  });
  const themeButton = h(
    'button',
    { type: 'button', class: 'control', 'data-control': 'theme', onclick: () => theme.toggle() },
    icon('theme'),
  );
  const title = h('h1', { class: 'play-title' });
  const about = h('p', { class: 'sr-only' });
  const paneButtons = (['edit', 'watch'] as const).map((name) => ({
    name,
    button: h('button', { type: 'button', 'data-control': name, onclick: () => showPane(name) }),
  }));
  const panes = h(
    'div',
    { class: 'choice play-panes-choice', role: 'group' },
    ...paneButtons.map(({ button }) => button),
  );
  const open = h('a', { class: 'play-open', target: '_blank', rel: 'noopener' });
  const place = h('div', { class: 'play-viewer' });
  const empty = h('p', { class: 'play-empty muted' });
  place.append(empty);
  const runView = {
    name: 'run',
    word: 'view.run',
    element: place,
    refresh: () => undefined,
    leave: () => undefined,
    translate: () => undefined,
  } as const;
  const compared = (): Compared | null => {
    if (!picture) return null;
    const { program: own, ...rest } = picture;
    return { ...own, ...rest };
  };
  const compare = compareView(
    tr,
    say,
    compared,
    ask,
    () => asker.stop(),
    () => keepAddress(),
  );
  const orders = ordersView(
    say,
    compared,
    ask,
    () => asker.stop(),
  );
  const sweep = sweepView(
    say,
    compared,
    ask,
    () => asker.stop(),
    (name, value) => {
      form.set({ ...form.settings, [name]: value });
      changed();
    },
    () => keepAddress(),
  );
  const views = makeViews(say, [runView, compare, orders, sweep], () => keepAddress());
  const edit = h('section', { class: 'play-edit' }, welcome, tour.element, editor.element, problems.element);
  const watch = h('section', { class: 'play-watch' }, views.element);
  const main = h('main', { class: 'play-main' }, edit, watch);
  root.replaceChildren(
    h(
      'header',
      { class: 'play-top' },
      title,
      about,
      form.element,
      status.element,
      h('div', { class: 'play-tools' }, run, stop, tourButton, galleryButton, shareButton, languageButton, themeButton),
      open,
      panes,
    ),
    main,
    share.element,
    gallery.element,
  );

  function showPane(name: 'edit' | 'watch'): void {
    root.dataset.pane = name;
    for (const one of paneButtons) one.button.setAttribute('aria-pressed', String(one.name === name));
  }

  // Another program, from a link or the gallery. What was in the editor before comes back with its undo.
  function load(source: string, settings: Settings, at: Place | null): void {
    if (!willPredict) viewer?.predict(false);
    form.set(settings);
    editor.setKind(settings.kind);
    wantedPlace = at;
    editor.setText(source);
    runner.want(0);
  }

  // ---- running
  function changed(): void {
    keepAddress();
    if (performance.getEntriesByName('loopsim.key').length === 0) performance.mark('loopsim.key');
    runner.want();
  }

  function showRunning(): void {
    root.toggleAttribute('data-running', runner.isRunning);
    stop.disabled = !runner.isRunning && asking === 0;
  }

  async function runOnce(): Promise<void> {
    const began = performance.now();
    const what = program();
    queueMicrotask(showRunning);
    performance.mark('loopsim.run');
    // Told only of a run that can be felt: a status that flickers with every key is noise, above all when it is read aloud.
    const telling = window.setTimeout(() => status.say('status.running'), 500);
    try {
      const language = ['--lang', tr.language];
      const outcome = await engine.run(
        words('run', what, '-f', `html=${kPicture}`, '--no-races', ...language),
        filesOf(what),
        kBound,
      );
      show(what, outcome, began);
      window.clearTimeout(racing);
      if (picture?.program === what && viewer) racing = window.setTimeout(() => void lookForRaces(what), kRacesDelay);
    } catch (error) {
      if (!(error instanceof NotRun)) {
        status.say('status.failed', String(error)); // of the page itself
        throw error;
      }
      if (error.why === 'failed') status.say('status.failed', error.message);
      else if (error.why === 'too long') status.say('status.tooLong', kBound / 1000);
      else if (error.why === 'too deep') status.say('status.tooDeep');
      else status.say('status.stopped');
    } finally {
      window.clearTimeout(telling);
      window.setTimeout(showRunning);
      void readChoices();
    }
  }

  // Which orders are open takes many runs: it is looked at when nothing is typed, and told in the picture that is there.
  async function lookForRaces(what: Program): Promise<void> {
    const isShown = (): boolean => viewer !== null && picture?.program === what && editor.text === what.source;
    if (!isShown()) return;
    const said = words('run', what, '-f', `html=${kPicture}`, '--lang', tr.language);
    const outcome = await asker.run(said, filesOf(what), kBound).catch(() => null);
    const html = outcome?.files[kPicture];
    if (html === undefined || outcome?.status === 2 || !isShown() || !picture || html === picture.html) return;
    picture = { ...picture, html };
    mount(runOf(html));
  }

  // What a run has come to. Without a picture, the last one stays.
  function show(what: Program, outcome: Outcome, began: number): void {
    const found: Problem[] = problemsOf(outcome.stderr, fileName(what.settings.kind));
    const html = outcome.files[kPicture];
    const isDrawn = html !== undefined && outcome.status !== 2;
    if (isDrawn) {
      if (isDrawing(html)) {
        picture = { html, program: what, runtime: 'io', machine: what.settings.machine };
        mountDrawing(html);
      } else {
        const run = runOf(html);
        const { runtime, machine } = run.header;
        found.push(...uncaughtIn(run));
        picture = { html, program: what, runtime, machine };
        mount(run);
      }
      form.setRuntime(picture.runtime);
      share.setHasScript(familyOf(picture.runtime) === 'node');
      tour.setDrawing(drawing !== null);
      if (willPredict) {
        viewer?.predict(true);
        drawing?.cover(true);
        tour.focus(); // its question comes first
      }
      willPredict = false;
      views.refresh();
      markPicture();
      if (outcome.status === 3) status.say('status.limit');
      else status.say('status.done', Math.max(1, Math.round(performance.now() - began)));
    } else {
      status.say('status.refused');
    }
    problems.show(found);
    // The places are those of the text that was run.
    if (editor.text === what.source) {
      editor.setProblems(found);
      if (isDrawn) showStep();
    }
  }

  // The browser's own measure of how long a picture takes, from the key to the frame that shows it: `loopsim.picture`.
  function markPicture(): void {
    const [key] = performance.getEntriesByName('loopsim.key');
    performance.clearMarks('loopsim.key');
    if (!key) return;
    requestAnimationFrame(() => {
      performance.clearMeasures('loopsim.picture');
      performance.measure('loopsim.picture', { start: key.startTime });
    });
  }

  function mountDrawing(html: string): void {
    look = viewer?.look ?? look;
    viewer?.dispose();
    viewer = null;
    wantedPlace = null;
    drawing = drawingOf(html, 'view-', say);
    document.title = `${drawing.title} · ${say('title')}`;
    place.replaceChildren(drawing.element);
  }

  function mount(next: Run): void {
    drawing = null;
    const before = viewer;
    const at = wantedPlace ?? (before ? (before.isAtEnd ? 'end' : before.place) : null);
    wantedPlace = null;
    document.title = next.header.scenario ? `${next.header.scenario} · ${say('title')}` : say('title');
    if (before?.load(next, at ?? kStart)) return;
    look = before?.look ?? look;
    before?.dispose();
    viewer = mountViewer(place, next, {
      tr,
      theme,
      place: at,
      prefix: 'view-',
      hasEditor: !isEmbedded,
      ...(look ? { look } : {}),
    });
    viewer.onMove(() => {
      showStep();
      keepAddress();
    });
  }

  function showStep(): void {
    const isThis = picture !== null && picture.program.source === editor.text;
    if (isThis) editor.setStepLine(viewer?.line ?? 0);
  }

  // ---- the address and what is shared
  function shared(isEmbed: boolean): Shared {
    return {
      ...program(),
      place: viewer?.place ?? wantedPlace,
      language: languageChosen ? tr.language : null,
      theme: theme.explicit,
      isEmbedded: isEmbed,
      ...(views.state[0] === 'run' ? {} : { view: views.state }),
      ...(tour.lesson ? { lesson: tour.lesson } : {}),
    };
  }
  function linkOf(isEmbed: boolean): string | null {
    const hash = writeShared(shared(isEmbed));
    return hash.length > kMostLink ? null : location.href.replace(/#.*$/s, '') + hash;
  }
  function embedCode(): string | null {
    const link = linkOf(true);
    if (link === null) return null;
    const escaped = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
    return `<iframe src="${escaped}" title="loopsim" width="100%" height="640" style="border: 0"></iframe>`;
  }
  let addressTimer = 0;
  let address = location.hash; // as this page knows it: one that the reader has changed meanwhile is left alone
  function keepAddress(): void {
    if (addressTimer) return;
    addressTimer = window.setTimeout(() => {
      addressTimer = 0;
      if (location.hash !== address) return;
      const hash = writeShared(shared(isEmbedded));
      if (hash.length > kMostLink || hash === address) return;
      history.replaceState(null, '', hash);
      address = location.hash;
      open.href = linkOf(false) ?? '';
    }, kAddressDelay);
  }
  window.addEventListener('hashchange', () => {
    address = location.hash;
    const lesson = tourIn(location.hash);
    if (lesson && allLessons.length) {
      tour.open(lesson);
      return;
    }
    const next = readShared(location.hash);
    if (typeof next === 'string') {
      if (next !== 'none') status.say(`link.${next}`);
      return;
    }
    if (next.language) tr.set(next.language);
    if (next.theme) theme.set(next.theme);
    load(next.source, next.settings, next.place);
    views.take(next.view ?? ['run']);
    if (next.lesson) tour.open(next.lesson, true);
    else tour.close();
  });

  // ---- files to save
  async function job(command: string[], files: Record<string, string>): Promise<Outcome | null> {
    try {
      return await engine.run(command, files, kBound);
    } catch {
      return null;
    }
  }
  async function svg(): Promise<Download | null> {
    const what = picture?.program ?? program();
    const outcome = await job(words('run', what, '-q', '-f', 'svg=drawing.svg', '--lang', tr.language), filesOf(what));
    const text = outcome?.files['drawing.svg'];
    return text === undefined ? null : { name: 'loopsim.svg', type: 'image/svg+xml', text };
  }
  function scenario(): Promise<Download | null> {
    const { source, settings } = program();
    const text = scenarioText(source, settings);
    return Promise.resolve(text === null ? null : { name: 'scenario.json', type: 'application/json', text });
  }
  async function script(): Promise<Download | null> {
    const what = program();
    if (what.settings.kind !== 'json')
      return { name: fileName(what.settings.kind), type: 'text/javascript', text: what.source };
    const outcome = await job(['js', fileName('json'), ...kBounds], filesOf(what));
    return outcome?.status === 0 ? { name: 'scenario.cjs', type: 'text/javascript', text: outcome.stdout } : null;
  }
  async function page(): Promise<Download | null> {
    await wholePage();
    const shell = embedded('shell');
    const html = picture?.html;
    if (!shell || html === undefined) return null;
    const text = isDrawing(html) ? html : shell.replace('<!--loopsim:data-->', () => html);
    return { name: 'loopsim.html', type: 'text/html', text };
  }

  // ---- words and choices
  function translate(): void {
    document.documentElement.lang = tr.language === 'zh' ? 'zh-CN' : 'en';
    title.textContent = say('title');
    about.textContent = say('about');
    title.title = say('about');
    run.textContent = say('run');
    run.title = say('editor.keys');
    stop.textContent = say('stop');
    shareButton.textContent = say('share');
    languageButton.textContent = tr.t('language.short');
    for (const [one, label] of [
      [languageButton, tr.t('language.switch')],
      [themeButton, tr.t('theme.toggle')],
    ] as const) {
      one.setAttribute('aria-label', label);
      one.title = label;
    }
    panes.setAttribute('aria-label', say('panes.label'));
    for (const { name, button } of paneButtons) button.textContent = say(`pane.${name}`);
    edit.setAttribute('aria-label', say('edit.label'));
    watch.setAttribute('aria-label', say('viewer.label'));
    empty.textContent = say('viewer.empty');
    open.textContent = say('embed.open');
    form.translate();
    problems.translate();
    status.translate();
    share.translate();
    galleryButton.textContent = say('gallery');
    tourButton.textContent = say('tour');
    welcomeWords.textContent = say('welcome', allLessons.length);
    welcomeStart.textContent = say('welcome.start');
    welcomeClose.setAttribute('aria-label', say('close'));
    tour.translate();
    gallery.translate();
    drawing?.translate();
    views.translate();
  }
  tr.onChange(() => {
    languageChosen = true;
    translate();
    if (drawing) runner.want(0); // its words are the engine's
    keepAddress();
  });
  theme.onChange(keepAddress);

  // The engine knows which versions and machines there are.
  let hasChoices = false;
  async function readChoices(): Promise<void> {
    if (hasChoices) return;
    hasChoices = true;
    const read = async (what: string, labelOf: (value: string, rest: string) => string): Promise<Choice[] | null> => {
      const outcome = await job(['list', what], {});
      if (!outcome) return null;
      return outcome.stdout.split('\n').flatMap((line) => {
        const [, value, rest] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
        return value !== undefined && rest !== undefined
          ? [{ value, label: labelOf(value, rest), about: rest.replace(/\s{2,}/g, ', ') }]
          : [];
      });
    };
    const versions = await read('profiles', (value, rest) => /^(?:Node \S+|(?:Chrome|Firefox) \d+)/.exec(rest)?.[0] ?? value);
    const machines = versions && (await read('machines', (value) => value));
    if (!versions || !machines) {
      hasChoices = false; // stopped: they are asked for after the next run
      return;
    }
    for (const one of [form, compare]) {
      one.setChoices('version', versions);
      one.setChoices('machine', machines);
    }
  }

  showPane(isEmbedded ? 'watch' : 'edit');
  translate();
  open.href = linkOf(false) ?? '';
  if (given?.view) views.take(given.view);
  if (given?.lesson) tour.open(given.lesson, true);
  if (typeof link === 'string' && link !== 'none' && !tourWanted) status.say(`link.${link}`);
  else status.say('status.loading');
  showRunning();
  // A link that cannot be read keeps its message: then nothing is run until something is asked for. The first picture comes
  // before the lists of versions and machines.
  const served = servedName();
  let isLost = false;
  if (served !== null) {
    followServed(
      (text) => load(text, { ...form.settings, kind: kindOfName(served) }, null),
      (lost) => {
        if (lost && !isLost) status.say('served.lost', served);
        isLost = lost;
      },
    );
  } else if (tourWanted && allLessons.length) tour.open(tourWanted);
  else if (typeof link !== 'string' || link === 'none') runner.want(0);
  else void readChoices();
  document.documentElement.dataset.ready = 'yes';
  performance.mark('loopsim:interactive');
}

const root = document.getElementById('play');
if (root) start(root);
