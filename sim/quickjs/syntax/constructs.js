// Which constructs a text has that not every version of Node can read (tools/quickjs/syntax.json), by acorn. Not a part of
// Node's library: it is in a world of its own (sim/quickjs/syntax.cpp).
'use strict';

const acorn = require('acorn');

// Of each construct the first place in the text: by its name, the offset.
class Places {
  #first = new Map();
  note(construct, offset) {
    const known = this.#first.get(construct);
    if (known === undefined || offset < known) this.#first.set(construct, offset);
  }
  entries() { return [...this.#first].sort(([, a], [, b]) => a - b); }
}

// ---- regular expressions ------------------------------------------------------------------------------------------------

const kFlags = { d: 'match-indices', s: 'dot-all', u: 'unicode-expressions', v: 'unicode-sets', y: 'sticky-expressions' };

// `at`: where the literal begins.
function noteExpression(places, { pattern, flags }, at) {
  const flagsAt = at + pattern.length + 2;
  for (let i = 0; i < flags.length; i++) if (Object.hasOwn(kFlags, flags[i])) places.note(kFlags[flags[i]], flagsAt + i);
  const isUnicode = /[uv]/.test(flags);
  const names = new Set();
  let classes = 0;  // how many are open
  for (let i = 0; i < pattern.length; i++) {
    const rest = pattern.slice(i, i + 4);
    if (pattern[i] === '\\') {
      if (isUnicode && /^\\[pP]\{/.test(rest)) places.note('unicode-properties', at + 1 + i);
      i++;
    } else if (pattern[i] === '[') {
      if (classes === 0 || flags.includes('v')) classes++;
    } else if (pattern[i] === ']') {
      if (classes > 0) classes--;
    } else if (classes > 0) {
      continue;
    } else if (rest.startsWith('(?<=') || rest.startsWith('(?<!')) {
      places.note('lookbehind', at + 1 + i);
    } else if (rest.startsWith('(?<')) {
      const name = pattern.slice(i + 3, pattern.indexOf('>', i));
      places.note(names.has(name) ? 'duplicate-groups' : 'named-groups', at + 1 + i);
      names.add(name);
    } else if (/^\(\?[ims-]/.test(rest)) {
      places.note('modifiers', at + 1 + i);
    }
  }
}

// ---- nodes of the syntax tree ---------------------------------------------------------------------------------------------

// What surrounds a node.
const kTop = { isStrict: false, inFunction: false };

const isStrictBody = (body) => body.some(({ directive }) => directive === 'use strict');

// What each type of node notes. `text`: all of it; `comma(from, to)`: where between these offsets a comma stands that nothing
// follows, or undefined.
const notes = {
  VariableDeclaration({ note, around }, { kind, start }) {
    if (kind === 'let' && !around.isStrict) note('let-in-sloppy', start);
    if (kind === 'using') note('using', start);
    if (kind === 'await using') note('await-using', start);
  },
  ClassDeclaration: noteClass,
  ClassExpression: noteClass,
  FunctionDeclaration: noteFunction,
  FunctionExpression: noteFunction,
  ArrowFunctionExpression: noteFunction,
  ObjectPattern({ note }, { start, properties }) {
    note('destructuring', start);
    for (const property of properties) if (property.type === 'RestElement') note('object-rest', property.start);
  },
  ArrayPattern({ note }, { start }) { note('destructuring', start); },
  ObjectExpression({ note }, { properties }) {
    for (const property of properties) if (property.type === 'SpreadElement') note('object-spread', property.start);
  },
  ArrayExpression({ note }, { elements }) {
    for (const element of elements) if (element?.type === 'SpreadElement') note('spread-of-arrays', element.start);
  },
  CallExpression: noteCall,
  NewExpression: noteCall,
  MetaProperty({ note }, { meta, property, start }) {
    if (meta.name === 'new' && property.name === 'target') note('new-target', start);
  },
  MemberExpression({ note, text }, { optional, object }) {
    if (optional) note('optional-chaining', text.indexOf('?.', object.end));
  },
  BinaryExpression({ note, text }, { operator, left }) {
    if (operator === '**') note('exponentiation', text.indexOf('**', left.end));
    if (left.type === 'PrivateIdentifier') note('private-in', left.start);
  },
  LogicalExpression({ note, text }, { operator, left }) {
    if (operator === '??') note('nullish-coalescing', text.indexOf('??', left.end));
  },
  AssignmentExpression({ note, text }, { operator, left }) {
    if (operator === '**=') note('exponentiation', text.indexOf(operator, left.end));
    if (/^(?:\?\?|\|\||&&)=$/.test(operator)) note('logical-assignment', text.indexOf(operator, left.end));
  },
  AwaitExpression({ note, around }, { start }) {
    if (!around.inFunction) note('top-level-await', start);
  },
  ForOfStatement({ note, text, around }, { await: isAsync, start }) {
    if (isAsync) note(around.inFunction ? 'for-await' : 'top-level-await', text.indexOf('await', start));
  },
  CatchClause({ note }, { param, start }) {
    if (param === null) note('optional-catch-binding', start);
  },
  TaggedTemplateExpression({ note }, { quasi }) {
    const loose = quasi.quasis.find(({ value }) => typeof value.cooked !== 'string');
    if (loose) note('loose-templates', loose.start);
  },
  Literal({ note, places, text }, { value, raw, regex, bigint, start }) {
    if (regex) return noteExpression(places, regex, start);
    if (bigint) note('big-integers', start);
    if (typeof value !== 'string' && raw.includes('_')) note('numeric-separators', start);
    const separator = typeof value === 'string' ? raw.search(/[\u2028\u2029]/) : -1;
    if (separator >= 0 && text[start + separator - 1] !== '\\') note('line-separators-in-strings', start);
  },
  PropertyDefinition({ note }, { key, start }) {
    if (key.type === 'PrivateIdentifier') note('private-fields', key.start);
    else note('class-fields', start);
  },
  MethodDefinition({ note, text }, { key, value, start }) {
    if (key.type === 'PrivateIdentifier') note('private-methods', key.start);
    if (value.async) noteAsync(note, value, text.indexOf('async', start));
  },
  Property({ note, text }, { method, value, start }) {
    if (method && value.async) noteAsync(note, value, text.indexOf('async', start));
  },
  StaticBlock({ note }, { start }) { note('static-blocks', start); },
  ImportExpression({ note }, { start, options }) {
    note('dynamic-import', start);
    if (options) note('import-attributes', options.start);
  },
  ImportDeclaration: noteAttributes,
  ExportNamedDeclaration: noteAttributes,
  ExportAllDeclaration({ note, text }, node) {
    noteAttributes({ note, text }, node);
    if (node.exported?.type === 'Literal') note('strings-as-names', node.exported.start);
  },
  ImportSpecifier({ note }, { imported }) {
    if (imported.type === 'Literal') note('strings-as-names', imported.start);
  },
  ExportSpecifier({ note }, { local, exported }) {
    for (const name of [exported, local]) if (name.type === 'Literal') note('strings-as-names', name.start);
  },
};

function noteClass({ note, around }, { start }) {
  if (!around.isStrict) note('class-in-sloppy', start);
}

function noteAsync(note, fn, at) {
  if (fn.async) note(fn.generator ? 'async-generators' : 'async-functions', at);
}

function noteFunction({ note, comma, text }, node) {
  const { params, body, start } = node;
  if (text.startsWith('async', start)) noteAsync(note, node, start);  // of a method, its property has it
  for (const param of params) {
    if (param.type === 'AssignmentPattern') note('default-parameters', param.start);
    if (param.type === 'RestElement') note('rest-parameters', param.start);
  }
  if (params.length > 0) note('trailing-commas', comma(params[params.length - 1].end, body.start));
}

function noteCall({ note, comma, text }, { callee, arguments: passed, optional, end }) {
  if (optional) note('optional-chaining', text.indexOf('?.', callee.end));
  for (const one of passed) if (one.type === 'SpreadElement') note('spread-of-calls', one.start);
  if (passed.length > 0) note('trailing-commas', comma(passed[passed.length - 1].end, end));
}

function noteAttributes({ note, text }, { attributes, source }) {
  if (attributes?.length > 0) note('import-attributes', text.indexOf('with', source.end));
}

function* childrenOf(node) {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) yield* value;
    else yield value;
  }
}

function aroundChildren(node, around) {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return { isStrict: around.isStrict || (node.body.type === 'BlockStatement' && isStrictBody(node.body.body)), inFunction: true };
    case 'ClassDeclaration':
    case 'ClassExpression':
      return { ...around, isStrict: true };
    default:
      return around;
  }
}

// Both: [construct, offset in UTF-16 code units], ... in the order of the text; none of a text that is no program.
function constructs(text, isModule) {
  const commas = [];
  let program;
  try {
    program = acorn.parse(text, {
      ecmaVersion: 'latest', sourceType: isModule ? 'module' : 'commonjs', onTrailingComma: (offset) => { commas.push(offset); },
    });
  } catch {
    return [];  // QuickJS will say what is wrong
  }
  commas.sort((a, b) => a - b);
  const places = new Places();
  const comma = (from, to) => {
    let low = 0;
    for (let high = commas.length; low < high;) {
      const middle = (low + high) >> 1;
      if (commas[middle] < from) low = middle + 1;
      else high = middle;
    }
    return commas[low] < to ? commas[low] : undefined;
  };
  const note = (construct, offset) => { if (offset !== undefined) places.note(construct, offset); };
  const work = [[program, { ...kTop, isStrict: isModule || isStrictBody(program.body) }]];
  while (work.length > 0) {
    const [node, around] = work.pop();
    notes[node.type]?.({ note, places, comma, text, around }, node);
    const inside = aroundChildren(node, around);
    for (const child of childrenOf(node)) if (typeof child?.type === 'string') work.push([child, inside]);
  }
  return places.entries();
}

module.exports = constructs;
