// What a program's text tells of the values in it: the arguments of a call, what a name stands for. QuickJS's errors do not name the values
// that V8's words quote.
'use strict';

// A value: { kind, text }. kind: as typeof says, but null and array. text: of a number, a string, a function; the class of an object; the
// elements of an array.
const kNothing = { kind: 'undefined', text: 'undefined' };

const kEscapes = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' };

// Sources of regular expressions: an operator that assigns, and a name that is no part of another one.
const kAssigns = '\\s*(?:[-+*/%&|^]|\\*\\*|<<|>>>?|\\|\\||&&|\\?\\?)?=(?![=>])';
const exactly = (name) => `(?<![.\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`;

// The texts between the bracket at `open` and the one that closes it, as far as commas part them.
function partsAt(it, open) {
  const parts = [];
  let depth = 0;
  let from = open + 1;
  for (let i = open, most = Math.min(it.code.length, open + 100000); i < most; i++) {
    const c = it.code[i];
    if (/[([{]/.test(c)) depth++;
    const isEnd = /[)\]}]/.test(c) && --depth === 0;
    if (!isEnd && !(c === ',' && depth === 1)) continue;
    const text = it.source.slice(from, i).trim();
    if (text !== '' || !isEnd || parts.length > 0) parts.push({ text, at: from });
    if (isEnd) break;
    from = i + 1;
  }
  return parts;
}

// What a name was given, if that is said once; undefined: nobody can tell. The text is searched once for each name.
function assignedTo(it, name) {
  it.given ??= new Map();
  if (!it.given.has(name)) it.given.set(name, findGiven(it, name));
  return it.given.get(name);
}

function findGiven(it, name) {
  const found = [...it.code.matchAll(new RegExp(`${exactly(name)}(?:${kAssigns}|\\s*(?:\\+\\+|--))`, 'g'))];
  if (found.length > 1) return undefined;
  if (found.length === 1) {
    const [text] = found[0];
    if (!text.endsWith('=') || /[^\w$\s]=$/.test(text)) return undefined;
    const from = found[0].index + text.length;
    let depth = 0;
    let end = from;
    for (; end < it.code.length; end++) {
      const c = it.code[end];
      if (/[([{]/.test(c)) depth++;
      else if (/[)\]}]/.test(c) && --depth < 0) break;
      else if (depth === 0 && (c === ',' || c === ';')) break;
      else if (depth === 0 && c === '\n' && /\S/.test(it.code.slice(from, end)) && !/^\s*[.?:]/.test(it.code.slice(end, end + 200))) break;
    }
    return { text: it.source.slice(from, end).trim(), at: from };
  }
  if (new RegExp(`\\bclass\\s+${exactly(name)}`).test(it.code)) return { text: `class ${name} {}`, at: 0 };
  if (new RegExp(`\\b(?:var|let)\\s+(?:[\\w$]+\\s*,\\s*)*${exactly(name)}\\s*[,;\\n]`).test(it.code)) return { text: 'undefined', at: 0 };
  return undefined;
}

// The value of an expression's text; undefined: nobody can tell.
function valueOf(it, { text, at }, depth = 0) {
  if (depth > 10) return undefined;
  if (text === '' || text === 'undefined' || /^void\b/.test(text)) return kNothing;
  if (text === 'null' || text === 'true' || text === 'false') return { kind: text === 'null' ? 'null' : 'boolean', text };
  if (/^[-+]?(?:\d[\d._]*(?:e[-+]?\d+)?|0[xob][\da-f]+|Infinity|NaN)$/i.test(text)) {
    return { kind: 'number', text: String(Number(text.replaceAll('_', ''))) };
  }
  if (/^\d+n$/.test(text)) return { kind: 'bigint', text: text.slice(0, -1) };
  const quoted = /^(['"`])((?:(?!\1)[^\\$]|\\.)*)\1$/s.exec(text);
  if (quoted) return { kind: 'string', text: quoted[2].replace(/\\(.)/g, (all, c) => kEscapes[c] ?? c) };
  if (/^Symbol\s*\(/.test(text)) return { kind: 'symbol', text: 'Symbol()' };
  if (/^(?:async\s+)?function\b|^class\b|^(?:async\s*)?(?:\([^()]*\)|[\w$]+)\s*=>/.test(text)) return { kind: 'function', text };
  const open = it.source.indexOf(text[0], at);
  if (text[0] === '[' && text.endsWith(']')) {
    return { kind: 'array', text, elements: () => partsAt(it, open).map((one) => valueOf(it, one, depth + 1)) };
  }
  if (text[0] === '{') return { kind: 'object', text: 'Object' };
  if (text[0] === '(' && text.endsWith(')')) return valueOf(it, { text: text.slice(1, -1).trim(), at: open + 1 }, depth + 1);
  const made = /^new\s+([\w$]+)\s*(?:\(|$)/.exec(text);
  if (made) return made[1] === 'Array' ? { kind: 'array', text, elements: () => [] } : { kind: 'object', text: made[1] };
  const same = /^Object\s*\.\s*(?:freeze|seal|preventExtensions)\s*\(/.exec(text);
  if (same) {
    const [first] = partsAt(it, it.source.indexOf(text, at) + same[0].length - 1);
    return first && valueOf(it, first, depth + 1);
  }
  if (!/^[\w$]+$/.test(text)) return undefined;
  const given = assignedTo(it, text);
  return given && valueOf(it, given, depth + 1);
}

// As V8 prints a value that is not called: 5, ab, #<Map>, [object Array].
function plain(value) {
  if (value.kind === 'array') return '[object Array]';
  return value.kind === 'object' ? `#<${value.text}>` : value.text;
}

// As V8 prints what stands where no text is at hand (v8/src/execution/messages.cc, BuildDefaultCallSite): number 5, string "ab", object.
function typed(value) {
  switch (value.kind) {
    case 'undefined': return 'undefined';
    case 'null': return 'object null';
    case 'number': case 'boolean': return `${value.kind} ${value.text}`;
    case 'string': return `string "${value.text}"`;
    case 'array': return 'object';
    default: return value.kind;
  }
}

module.exports = { exactly, kAssigns, kNothing, partsAt, plain, typed, valueOf };
