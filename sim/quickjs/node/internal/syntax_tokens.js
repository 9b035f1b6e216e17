// The tokens of a text that cannot be read, as V8's scanner has them (v8/src/parsing/scanner.cc), for the words of its errors.
'use strict';

const { atLeast: at } = require('internal/version');

const kKeywords = new Set(('break case catch class const continue debugger default delete do else export extends finally for function ' +
  'if import in instanceof new return super switch this throw try typeof var void while with null true false').split(' '));
const kValues = new Set(['this', 'super', 'null', 'true', 'false']);  // keywords that end an expression
const kStrict = new Set('implements interface let package private protected public static yield'.split(' '));
const kMarks = '>>>=|\\.\\.\\.|===|!==|\\*\\*=|<<=|>>=|>>>|=>|==|!=|<=|>=|&&|\\|\\||\\+\\+|--|[-+*/%&|^]=|<<|>>|\\*\\*|' +
  '[{}()[\\];,<>+\\-*/%&|^!~?:=.]';
const kMark = new RegExp(`&&=|\\|\\|=|\\?\\?=|\\?\\?|\\?\\.(?!\\d)|${kMarks}`, 'y');
const kMarkBefore14 = new RegExp(kMarks, 'y');
const kEscape = '\\\\u[\\da-fA-F]{4}|\\\\u\\{[\\da-fA-F]+\\}';
const kName = new RegExp(`#?(?:[$_\\p{ID_Start}]|${kEscape})(?:[$_\\u200c\\u200d\\p{ID_Continue}]|${kEscape})*`, 'yu');
const kNumber = /0[xX][\da-fA-F_]+n?|0[oO][0-7_]+n?|0[bB][01_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?n?/y;
const kSpace = /(?:[\s\ufeff]|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)+/y;
const kExpression = /\/(?![*/])(?:[^\\/[\n\r]|\\.|\[(?:[^\]\\\n\r]|\\.)*\])+\/[$\w]*/y;

const matchAt = (pattern, text, from) => {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0];
};

function endsExpression(token) {
  if (token === undefined) return false;
  if (token.kind === 'word') return !kKeywords.has(token.text) || kValues.has(token.text);
  if (token.kind === 'mark') return /^(?:[)\]}]|\+\+|--)$/.test(token.text);
  return token.kind !== 'piece' && token.kind !== 'illegal';
}

// The tokens of a text: { kind, text, from, to, inside }. kind: word, number, string, template (whole, or its last piece), piece (of a
// template, before a value), expression, mark, illegal, unfinished, end. inside: the index of the token that opens what it stands in; -1:
// none does.
// An illegal token is the last one. Their property `stray`: the index of the first } that closes nothing.
function tokensOf(text) {
  const tokens = [];
  const open = [];
  let i = text.startsWith('#!') ? (matchAt(/[^\n]*/y, text, 0) ?? '').length : 0;
  const add = (kind, to) => {
    tokens.push({ kind, text: text.slice(i, to), from: i, to, inside: open.length > 0 ? open[open.length - 1] : -1 });
    i = to;
  };
  const template = () => {
    let end = i + 1;
    while (end < text.length && text[end] !== '`' && !text.startsWith('${', end)) end += text[end] === '\\' ? 2 : 1;
    if (end >= text.length) add('unfinished', text.length);
    else add(text[end] === '`' ? 'template' : 'piece', end + (text[end] === '`' ? 1 : 2));
    if (tokens[tokens.length - 1].kind === 'piece') open.push(tokens.length - 1);
  };
  for (;;) {
    i += (matchAt(kSpace, text, i) ?? '').length;
    if (i >= text.length) break;
    const c = text[i];
    const last = tokens[tokens.length - 1];
    if (text.startsWith('/*', i)) {
      add('illegal', text.length);
      return tokens;
    }
    if (c === "'" || c === '"') {
      let end = i + 1;
      while (end < text.length && text[end] !== c && !/[\n\r]/.test(text[end])) end += text[end] === '\\' ? 2 : 1;
      const isWhole = text[end] === c;
      add(isWhole ? 'string' : 'illegal', Math.min(text.length, end + (isWhole ? 1 : 0)));
      if (!isWhole) return tokens;
      continue;
    }
    if (c === '`') {
      template();
      if (tokens[tokens.length - 1].kind === 'unfinished') break;
      continue;
    }
    if (c === '}' && open.length > 0 && tokens[open[open.length - 1]].kind === 'piece') {
      open.pop();
      template();
      if (tokens[tokens.length - 1].kind === 'unfinished') break;
      continue;
    }
    const number = /^(?:0[xXoObB]|\d[\d.]*[eE][-+]?)/.exec(text.slice(i, i + 100))?.[0];
    const whole = matchAt(kNumber, text, i);
    if (whole !== undefined) {
      const isUnfinished = number !== undefined && number.length > whole.length;
      const end = i + (isUnfinished ? number : whole).length;
      const isMisspelt = matchAt(kName, text, end) !== undefined || /^\d[\d_]*\.[\d_]*n$|_$|__|^0\d.*[n_]/.test(whole);
      const isIllegal = at(8) && (isUnfinished || isMisspelt);
      add(isIllegal ? 'illegal' : 'number', end);
      if (isIllegal) return tokens;
      continue;
    }
    const name = matchAt(kName, text, i);
    if (name !== undefined && (name[0] !== '#' || at(12))) {
      add('word', i + name.length);
      continue;
    }
    if (c === '/' && !endsExpression(last)) {
      const expression = matchAt(kExpression, text, i);
      add(expression === undefined ? 'illegal' : 'expression', i + (expression ?? '/').length);
      if (expression === undefined) return tokens;
      continue;
    }
    const mark = matchAt(at(14) ? kMark : kMarkBefore14, text, i);
    if (mark === undefined) {
      add('illegal', i + (/[\ud800-\udbff]/.test(c) ? 2 : 1));
      return tokens;
    }
    const closes = { ')': '(', ']': '[', '}': '{' }[mark];
    if (closes !== undefined && open.length > 0 && tokens[open[open.length - 1]].text === closes) open.pop();
    else if (mark === '}' && open.length === 0) tokens.stray ??= tokens.length;
    add('mark', i + mark.length);
    if (/^[([{]$/.test(mark)) open.push(tokens.length - 1);
  }
  i = text.length;
  add('end', i);
  return tokens;
}

module.exports = { endsExpression, kKeywords, kStrict, tokensOf };
