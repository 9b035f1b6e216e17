// Completion in a scenario: where the cursor is, as the schema sees it, and what may stand there.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { Proposal, SchemaReader, Step } from './schema';

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

const textOf = (state: EditorState, node: SyntaxNode): string => state.sliceDoc(node.from, node.to);
const keyOf = (state: EditorState, property: SyntaxNode): string => {
  const name = property.getChild('PropertyName');
  return name ? textOf(state, name).replace(/^"|"$/g, '') : '';
};

// From the document to `node`, a value.
function pathTo(state: EditorState, node: SyntaxNode): Step[] {
  const path: Step[] = [];
  for (let one: SyntaxNode | null = node; one?.parent; one = one.parent) {
    const { parent } = one;
    if (parent.name === 'Property') path.unshift(keyOf(state, parent));
    if (parent.name !== 'Array') continue;
    let place = 0;
    for (let other = one.prevSibling; other; other = other.prevSibling) if (!/^[[\]⚠,]$/.test(other.name)) ++place;
    path.unshift(place);
  }
  return path;
}

const kValues = new Set(['String', 'Number', 'True', 'False', 'Null']);

export function scenarioCompletion(reader: () => SchemaReader | null) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context;
    let node = syntaxTree(state).resolveInner(pos, -1);
    if (node.parent && node.to === pos && /[\]}]/.test(state.sliceDoc(pos - 1, pos))) node = node.parent; // it has ended
    const before = state.sliceDoc(Math.max(0, pos - 200), pos).trimEnd().slice(-1);
    const isName = node.name === 'PropertyName';
    const isValue = kValues.has(node.name);
    // What is written already, and will be replaced: a name or a value, or the letters of one that has no quotes yet.
    const bare = context.matchBefore(/\w+$/);
    const from = isName || isValue ? node.from : (bare?.from ?? pos);
    if (!isName && !isValue && !bare && !context.explicit) return null;
    const to = isName || isValue ? Math.max(pos, node.to) : pos;
    const outer = isName ? node.parent?.parent : isValue ? node : node.name === '⚠' ? node.parent : node;
    if (!outer) return null;
    const schema = reader();
    if (!schema || context.aborted) return null;

    const option = ({ label, insert, about }: Proposal, isKey: boolean): Completion => ({
      label,
      displayLabel: label.replace(/^"|"$/g, ''),
      info: about || undefined,
      type: isKey ? 'property' : 'enum',
      apply: insert,
    });
    const opening = state.sliceDoc(0, from).trimEnd().slice(-1);
    if (isName || (!isValue && outer.name === 'Object' && /[{,]/.test(bare ? opening : before))) {
      const object = isName ? outer : outer;
      const present = object.getChildren('Property').flatMap((one) => (one.from <= pos && pos <= one.to && isName ? [] : [keyOf(state, one)]));
      const rest = state.sliceDoc(to, to + 40);
      // Of a name that has its value already only the name is replaced.
      const hasValue = /^\s*:/.test(rest);
      const keys = schema.keys(pathTo(state, object), present);
      return {
        from,
        to,
        options: keys.map((one) => option(hasValue ? { ...one, insert: one.label } : one, true)),
        filter: true,
      };
    }
    // A value: of a property behind its colon, or in an array.
    const property = isValue ? node.parent : outer.name === 'Property' ? outer : null;
    if (property?.name === 'Property' && (isValue || opening === ':')) {
      const path = [...pathTo(state, property), keyOf(state, property)];
      return { from, to, options: schema.values(path).map((one) => option(one, false)) };
    }
    const array = isValue ? node.parent : outer;
    if (array?.name === 'Array') return { from, to, options: schema.values([...pathTo(state, array), 0]).map((one) => option(one, false)) };
    return null;
  };
}
