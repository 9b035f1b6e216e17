// The editor: CodeMirror with what a short program needs. Tab leaves it, so that the keyboard is never caught in it.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json, jsonLanguage } from '@codemirror/lang-json';
import {
  bracketMatching,
  codeFolding,
  ensureSyntaxTree,
  foldEffect,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { diagnosticCount, lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  tooltips,
  type DecorationSet,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Language, Translator } from '../i18n';
import type { Problem } from './problems';
import { scenarioCompletion } from './scenario_completion';
import type { SchemaReader } from './schema';
import type { Kind } from './settings';
import { kEditorPhrases, sayWith } from './words';

// The colours of the viewer's listings.
const kColors = HighlightStyle.define([
  { tag: [tags.propertyName], color: 'var(--t-key)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--t-text)' },
  { tag: [tags.number], color: 'var(--t-number)' },
  { tag: [tags.keyword, tags.bool, tags.null, tags.self, tags.operatorKeyword], color: 'var(--t-word)' },
  { tag: [tags.comment], color: 'var(--t-comment)' },
]);

const setStep = StateEffect.define<number>(); // the line of the moment that the viewer shows; 0: none

const kStepLine = Decoration.line({ class: 'play-step', attributes: { 'aria-current': 'step' } });

interface StepMark {
  line: number;
  marks: DecorationSet;
}
const kNoStep: StepMark = { line: 0, marks: Decoration.none };

function markOf(line: number, doc: Text): StepMark {
  if (line < 1 || line > doc.lines) return kNoStep;
  return { line, marks: Decoration.set(kStepLine.range(doc.line(line).from)) };
}

const stepField = StateField.define<StepMark>({
  create: () => kNoStep,
  update: (mark, change) => {
    // A changed program is no longer the one of the picture.
    let next = change.docChanged ? kNoStep : mark;
    for (const effect of change.effects) if (effect.is(setStep)) next = markOf(effect.value, change.state.doc);
    return next;
  },
  provide: (field) => EditorView.decorations.from(field, ({ marks }) => marks),
});

// A column in bytes as a place in the text.
function placeIn(doc: Text, row: number, column: number): number {
  const { from, text } = doc.line(Math.min(Math.max(1, row), doc.lines));
  const bytes = new TextEncoder().encode(text).slice(0, Math.max(0, column - 1));
  return from + Math.min(text.length, new TextDecoder().decode(bytes).length);
}

function diagnosticOf(doc: Text, { message, isWarning, line, column }: Problem): Diagnostic {
  const from = placeIn(doc, line, column);
  const word = /^[\w$]+|^./.exec(doc.sliceString(from, doc.lineAt(from).to))?.[0] ?? '';
  // At the end of a line there is nothing to underline: then what stands before it is.
  const start = word ? from : Math.max(doc.lineAt(from).from, from - 1);
  return { from: start, to: from + word.length, message, severity: isWarning ? 'warning' : 'error' };
}

export interface Editor {
  readonly element: HTMLElement;
  readonly text: string;
  setText(text: string): void;
  setKind(kind: Kind): void;
  setProblems(problems: Problem[]): void;
  setStepLine(line: number): void;
  showLine(problem: Problem): void;
  fold(keys: string[]): void; // of a scenario: what these keys at its top have is folded, and the program comes into view
  focus(): void;
}

interface EditorOptions {
  tr: Translator;
  text: string;
  kind: Kind;
  onChange: () => void;
  onRun: () => void;
  schema: () => SchemaReader | null; // of scenarios, for what may stand where
}

export function makeEditor({ tr, text, kind, onChange, onRun, schema }: EditorOptions): Editor {
  const say = sayWith(tr);
  const language = new Compartment();
  const words = new Compartment();
  const languageOf = (of: Kind): Extension => of === 'json'
      ? [json(), jsonLanguage.data.of({ autocomplete: scenarioCompletion(schema) })]
      : javascript();
  const wordsOf = (of: Language): Extension => [
    EditorState.phrases.of(kEditorPhrases[of]),
    // With a tabindex axe knows, too, that what scrolls is reached by the keyboard.
    EditorView.contentAttributes.of({ 'aria-label': say('editor.label'), tabindex: '0' }),
  ];
  const view = new EditorView({
    doc: text,
    extensions: [
      lineNumbers(),
      tooltips({ parent: document.body }), // the editor is a box of its own (play.css)
      lintGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      indentOnInput(),
      indentUnit.of('  '),
      bracketMatching(),
      codeFolding(),
      closeBrackets(),
      autocompletion(),
      highlightSelectionMatches(),
      search({ top: true }),
      syntaxHighlighting(kColors),
      EditorView.lineWrapping,
      stepField,
      keymap.of([
        { key: 'Mod-Enter', run: () => (onRun(), true) },
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
        ...lintKeymap,
      ]),
      language.of(languageOf(kind)),
      words.of(wordsOf(tr.language)),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange();
      }),
    ],
  });
  tr.onChange(() => view.dispatch({ effects: words.reconfigure(wordsOf(tr.language)) }));
  return {
    element: view.dom,
    get text() {
      return view.state.doc.toString();
    },
    setText: (next) => {
      if (next !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    setKind: (next) => view.dispatch({ effects: language.reconfigure(languageOf(next)) }),
    setProblems: (problems) => {
      if (problems.length === 0 && diagnosticCount(view.state) === 0) return;
      const { doc } = view.state;
      const placed = problems.filter(({ line }) => line > 0).map((one) => diagnosticOf(doc, one));
      view.dispatch(setDiagnostics(view.state, placed));
    },
    setStepLine: (line) => {
      if (view.state.field(stepField).line !== line) view.dispatch({ effects: setStep.of(line) });
    },
    showLine: ({ line, column }) => {
      view.dispatch({ selection: { anchor: placeIn(view.state.doc, line, column) }, scrollIntoView: true });
      view.focus();
    },
    fold: (keys) => {
      const { doc } = view.state;
      const top = ensureSyntaxTree(view.state, doc.length, 200)?.topNode.firstChild;
      const effects: StateEffect<unknown>[] = [];
      for (let one = top?.firstChild ?? null; one; one = one.nextSibling) {
        if (one.name !== 'Property') continue;
        const [name, value] = [one.firstChild, one.lastChild];
        const key = name ? doc.sliceString(name.from + 1, name.to - 1) : '';
        if (value && keys.includes(key) && value.to - value.from > 2)
          effects.push(foldEffect.of({ from: value.from + 1, to: value.to - 1 }));
        if (key === 'main') effects.push(EditorView.scrollIntoView(one.from, { y: 'start', yMargin: 60 }));
      }
      if (effects.length) view.dispatch({ effects });
    },
    focus: () => view.focus(),
  };
}
