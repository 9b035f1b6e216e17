// Errors of syntax as V8 words and places them (v8/src/parsing/parser-base.h, v8/src/common/message-template.h), of what QuickJS says of
// the same text: it names the same token, but with other words, and its column may be the token's end.
'use strict';

const { endsExpression, kKeywords, kStrict, tokensOf } = require('internal/syntax_tokens');
const { wordsOfExpression } = require('internal/native_messages');
const { atLeast: at } = require('internal/version');

// What is known of an error: the tokens, the one that it is about, and what stands around it.
class Place {
  constructor(text, said, offset) {
    this.text = text;
    this.said = said;
    this.tokens = tokensOf(text);
    this.index = this.#indexAt(offset);
  }
  #indexAt(offset) {
    const { tokens, said } = this;
    const last = tokens.length - 1;
    if (offset >= this.text.length && tokens[last].kind === 'end' && !/: '.*'$/.test(said)) return last;
    const quoted = /'([^']+)'$/.exec(said)?.[1];
    if (quoted !== undefined) {
      const named = tokens.findIndex((one) => one.text === quoted && one.from === offset);
      if (named >= 0) return named;
    }
    const found = tokens.findIndex((one) => one.to > offset);
    return found < 0 ? last : found;
  }
  get token() { return this.tokens[this.index]; }
  get before() { return this.tokens[this.index - 1]; }
  // Tokens before this one, the nearest first, that `wanted` holds for.
  back(wanted) {
    for (let i = this.index; i >= 0; i--) if (wanted(this.tokens[i])) return this.tokens[i];
    return undefined;
  }
  get isStrict() { return /(?:^|[;{}\n])\s*(['"])use strict\1/.test(this.text.slice(0, this.token.from)); }
  // It stands where the arguments of a call have to go on or to end.
  get isInArguments() {
    const { inside } = this.token;
    if (inside < 1 || this.tokens[inside].text !== '(' || !endsExpression(this.before)) return false;
    const callee = this.tokens[inside - 1];
    const declares = this.tokens[inside - 2];
    if (!endsExpression(callee) && callee.text !== '?.' && callee.text !== 'import') return false;
    return !(declares && (declares.text === 'function' || (declares.text === '*' && this.tokens[inside - 3]?.text === 'function')));
  }
  // Where the expression begins that ends with the token of this index: names, members, calls and brackets.
  beginOf(index) {
    const { tokens } = this;
    let i = index;
    for (; i > 0; i--) {
      const { text, kind } = tokens[i];
      if (kind === 'mark' && /^[)\]}]$/.test(text)) {
        let depth = 0;
        for (; i >= 0; i--) {
          if (/^[)\]}]$/.test(tokens[i].text)) depth++;
          else if (/^[([{]$/.test(tokens[i].text) && --depth === 0) break;
        }
      }
      const previous = tokens[i - 1];
      if (previous === undefined) break;
      const isCall = /^[([]$/.test(tokens[i].text) && endsExpression(previous);
      if (isCall || /^(?:\.|\?\.)$/.test(previous.text) || /^(?:\+\+|--)$/.test(text)) continue;
      if (!/^(?:\.|\?\.)$/.test(text)) break;
    }
    return tokens[Math.max(i, 0)].from;
  }
}

const onToken = (words, { from, to }) => ({ words, from, to });
const onFirst = (words, { from }) => ({ words, from, to: from + 1 });

function illegal({ text, from, to }) {
  if (text === '/') return { words: 'Invalid regular expression: missing /', from, to };
  if (/^\d/.test(text) && at(12)) {
    const twice = text.indexOf('__');
    if (twice > 0) return { words: 'Only one underscore is allowed as numeric separator', from: from + twice + 1, to: from + twice + 2 };
    if (text.endsWith('_')) return { words: 'Numeric separators are not allowed at the end of numeric literals', from, to: from };
  }
  // V8 marks nothing under a character that is none of ASCII, and half of one that is two units.
  const isOther = /^[^\x20-\x7e]/.test(text) && at(12);
  return { words: at(6) ? 'Invalid or unexpected token' : 'Unexpected token ILLEGAL', from, to: isOther ? from + text.length - 1 : to };
}

// The braces that a token stands in are the body of a class.
function isInClass(place) {
  const { tokens, token } = place;
  if (token.inside < 1 || tokens[token.inside].text !== '{') return false;
  for (let i = token.inside - 1; i >= 0 && !/^[;{}]$/.test(tokens[i].text); i--) if (tokens[i].text === 'class') return true;
  return false;
}

function unexpected(place, token = place.token) {
  const { kind, text, from } = token;
  const quoted = at(12) ? `'${text}'` : text;
  if (kind === 'end' || kind === 'unfinished') {
    if (at(12)) return { words: 'Unexpected end of input', from: place.text.length, to: place.text.length };
    if (kind === 'unfinished') return { words: 'Unterminated template literal', from: token.from, to: token.to };
    return onToken('Unexpected end of input', place.tokens[place.tokens.indexOf(token) - 1] ?? token);
  }
  if (kind === 'illegal') return illegal(token);
  if (kind === 'number') return onToken('Unexpected number', token);
  if (kind === 'string') return onToken('Unexpected string', token);
  if (kind === 'template' || kind === 'piece') {
    return text[0] === '}' ? onFirst(`Unexpected token ${at(12) ? "'}'" : '}'}`, token) : onToken('Unexpected template string', token);
  }
  if (kind === 'expression') return onToken('Unexpected regular expression', token);
  if (kind === 'mark' || kKeywords.has(text)) return onToken(`Unexpected token ${quoted}`, token);
  if (text === 'enum' || (text === 'await' && at(8))) return onToken('Unexpected reserved word', token);
  if (kStrict.has(text) && place.isStrict) return onToken('Unexpected strict mode reserved word', token);
  return onToken(`Unexpected identifier${at(20) ? ` '${text}'` : ''}`, token);
}

const awaitWords = () => `await is only valid in async function${at(16) ? 's and the top level bodies of modules' : ''}`;

// Before a } of an object's literal: what only the value of a property can follow.
function isNameOfValue({ token, before, tokens, index }) {
  if (token.text !== '}' || !at(18) || before === undefined || isWord(before) || before.kind === 'mark') return false;
  const opener = tokens[index - 2]?.text;
  if (opener !== '{' && opener !== ',') return false;
  const isBlock = tokens[index - (opener === '{' ? 3 : 2)]?.text === ')';
  return !isBlock && before.inside === tokens.findLastIndex((one, i) => i < index && one.text === '{');
}

// What stands where something else was expected.
function misplaced(place) {
  const { token, before } = place;
  if (token.kind === 'word' && token.text[0] === '#' && at(16)) return undeclared(place);
  if (token.kind === 'illegal') return unexpected(place);
  if (before?.text === 'import' && token.text !== '(' && token.text !== '.') {
    if (at(12)) return onToken('Cannot use import statement outside a module', before);
    return at(10) ? unexpected(place) : unexpected(place, before);
  }
  if (isInClass(place) && before.kind === 'word') {
    const { from } = before;
    if (/^[:,]$/.test(token.text) && at(12)) return { words: unexpected(place, before).words, from, to: from };
    if (token.text === '(' && before.text === 'prototype') {
      return onToken(`Classes may not have ${at(10) ? "a static property named 'prototype'" : 'static property named prototype'}`, before);
    }
    const kind = place.tokens[place.index - 2]?.text;
    if (token.text === '(' && before.text === 'constructor') {
      const words = { get: 'an accessor', set: 'an accessor', async: 'an async method', '*': 'a generator' }[kind];
      if (words !== undefined) return onToken(`Class constructor may not be ${words}`, before);
    }
  }
  if (isNameOfValue(place)) return unexpected(place, before);
  const opener = place.tokens[place.index - 2]?.text;
  if (token.text === ')' && before?.text === '(' && place.tokens[place.index - 2]?.text === 'import' && at(10)) {
    return onToken('import() requires a specifier', before);
  }
  const isInBraces = place.tokens[before?.inside]?.text === '{' && /^[{,]$/.test(opener ?? '');
  if (token.text === '=' && isInBraces && isWord(before)) {
    return { words: 'Invalid shorthand property initializer', from: before.from, to: place.tokens[place.index + 1]?.to ?? token.to };
  }
  if (token.text === ',' && place.tokens[place.index - 2]?.text === '...') return lateRest(place);
  if (place.isInArguments) return onToken('missing ) after argument list', before);
  if (token.text === 'await' && before?.text === 'for' && at(8)) return onToken('Unexpected reserved word', token);
  if (before?.text === 'await' && at(8) && !/^[,;)=}\]]|=>/.test(token.text) && token.kind !== 'end') return onToken(awaitWords(), before);
  if (place.tokens[token.inside]?.kind === 'piece' && endsExpression(before)) {
    return { words: 'Missing } in template expression', from: before.from, to: token.from };
  }
  if (token.text === '(' && before?.text === 'function' && at(12)) return onToken('Function statements require a function name', before);
  return unexpected(place);
}

// Parameters after the rest: V8 names the comma or, of an arrow function, what comes before.
function lateRest({ token, before }) {
  return onToken('Rest parameter must be last formal parameter', at(12) && token.inside === 0 ? before : token);
}

const aside = (words, wanted) => (place) => {
  const token = place.back(wanted);
  return token && onToken(typeof words === 'function' ? words(token, place) : words, token);
};
const isWord = (token) => token.kind === 'word' && !kKeywords.has(token.text);
const named = (...texts) => (token) => texts.includes(token.text);

// What is assigned to, before an operator or around it.
const kInvalid = 'Invalid left-hand side';
function assignedTo(place) {
  const operator = place.back((token) => /^(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=$/.test(token.text));
  if (operator === undefined) return undefined;
  const last = place.tokens.indexOf(operator) - 1;
  return last < 0 ? undefined : { words: `${kInvalid} in assignment`, from: place.beginOf(last), to: place.tokens[last].to };
}

function changed(place) {
  const operator = place.back(named('++', '--'));
  if (operator === undefined) return undefined;
  const i = place.tokens.indexOf(operator);
  if (endsExpression(place.tokens[i - 1])) {
    const first = place.tokens.findIndex(({ from }) => from === place.beginOf(i - 1));
    if (/^(?:\+\+|--)$/.test(place.tokens[first - 1]?.text ?? '')) {
      return { words: `${kInvalid} expression in prefix operation`, from: place.tokens[first].from, to: operator.to };
    }
    return { words: `${kInvalid} expression in postfix operation`, from: place.beginOf(i - 1), to: place.tokens[i - 1].to };
  }
  const operand = place.tokens[i + 1];
  return operand && onToken(`${kInvalid} expression in prefix operation`, operand);
}

function uninitialised(place) {
  if (place.before) place.index--;
  const token = place.back((one) => isWord(one) || /^[}\]]$/.test(one.text));
  if (token === undefined) return undefined;
  const from = isWord(token) ? token.from : place.beginOf(place.tokens.indexOf(token));
  return { words: `Missing initializer in ${isWord(token) ? 'const' : 'destructuring'} declaration`, from, to: token.to };
}

function again(place) {
  const token = place.back(isWord);
  return token && (token.text[0] === '#' ? onToken : onFirst)(`Identifier '${token.text}' has already been declared`, token);
}

function undeclared({ token, before }) {
  const from = before?.text === '.' ? before.from : token.from;
  return { words: `Private field '${token.text}' must be declared in an enclosing class`, from, to: from + 1 };
}

// [what QuickJS says, what V8 says of the place].
const rows = [
  [/^invalid redefinition|^redeclaration|already declared|^private class field is already defined/, (place) => {
    if (place.index > 0 && place.token.kind !== 'word') place.index--;
    return again(place);
  }],
  [/^missing initializer for variable/, uninitialised],
  [/^missing binding pattern/, uninitialised],
  [/^variable name expected/, (place) => {
    const { token, tokens } = place;
    if (!/^[[{]$/.test(token.text) || !/^(?:let|const|var|,)$/.test(place.before?.text ?? '')) return misplaced(place);
    const closing = tokens.findIndex((one, i) => i > place.index && one.inside === token.inside);
    if (closing < 0) return unexpected(place, tokens[tokens.length - 1]);
    return { words: 'Missing initializer in destructuring declaration', from: token.from, to: tokens[closing].to };
  }],
  [/^invalid number of arguments for getter or setter/, (place) => {
    const open = place.tokens.findIndex(({ text }, i) => text === '(' && place.tokens[i + 1]?.from >= 0 && i < place.index &&
      /^[gs]et$/.test(place.tokens[i - 2]?.text ?? '') && (place.tokens[i + 1].text === ')') === (place.tokens[i - 2].text === 'set'));
    if (open < 0) return undefined;
    const isGetter = place.tokens[open - 2].text === 'get';
    const end = place.tokens.findIndex(({ text }, i) => i > open && text === ')');
    return { words: isGetter ? 'Getter must not have any formal parameters.' : 'Setter must have exactly one formal parameter.',
      from: place.tokens[open].from, to: place.tokens[end]?.to ?? place.tokens[open].to };
  }],
  [/^invalid first character of private name/, ({ token }) => onFirst(illegal({ text: '#' }).words, token)],
  [/^'arguments' identifier is not allowed in class field/, aside(() => `'arguments' is not allowed in class field initializer${
    at(16) ? ' or static initialization block' : ''}`, named('arguments'))],
  [/^Octal escape sequences are not allowed|^Invalid (?:Unicode|hexadecimal) escape sequence/, (place) => {
    const { said, token } = place;
    const isOctal = said.startsWith('Octal');
    const ofCode = said.includes('Unicode') ? /\\u(?![\da-fA-F]{4}|\{[\da-fA-F]+\})/ : /\\x(?![\da-fA-F]{2})/;
    const pattern = isOctal ? /\\[0-7]/ : ofCode;
    const found = pattern.exec(token.text);
    const words = isOctal && !said.endsWith('.') ? `${said}.` : said;
    if (!found) return onToken(words, token);
    const from = token.from + found.index;
    return isOctal ? onFirst(words, { from: from + 1 }) : { words, from, to: Math.min(from + 4, token.to) };
  }],
  [/^break must be inside/, aside('Illegal break statement', named('break'))],
  [/^continue must be inside/, aside(() => `Illegal continue statement${at(8) ? ': no surrounding iteration statement' : ''}`,
    named('continue'))],
  [/^break\/continue label not found/, (place) => {
    const i = place.tokens.indexOf(place.back(named('break', 'continue')));
    const label = place.tokens[i + 1];
    return label && onToken(`Undefined label '${label.text}'`, label);
  }],
  [/^return not in a function|^return in a static/, aside('Illegal return statement', named('return'))],
  [/^unexpected '(await|yield)' keyword/, (place) => {
    if (place.said.includes('yield')) return aside(({ text }) => unexpected(place, { kind: 'word', text }).words, named('yield'))(place);
    return aside('Unexpected reserved word', named('await'))(place);
  }],
  [/^invalid assignment left-hand side|^invalid lvalue in strict|^invalid assignment syntax/, (place) => {
    const found = assignedTo(place);
    const text = found && place.text.slice(found.from, found.to);
    return text === 'eval' || text === 'arguments' ? { ...found, words: 'Unexpected eval or arguments in strict mode' } : found;
  }],
  [/^invalid increment\/decrement operand/, changed],
  [/^invalid for in\/of left hand-side/, (place) => {
    const i = place.tokens.indexOf(place.back(named('of', 'in')));
    return i > 0 ? { words: `${kInvalid} in for-loop`, from: place.beginOf(i - 1), to: place.tokens[i - 1].to } : undefined;
  }],
  [/^duplicate default/, aside('More than one default clause in switch statement', named('default'))],
  [/^duplicate label name/, aside(({ text }) => `Label '${text}' has already been declared`, isWord)],
  [/^expecting catch or finally/, (place) => (place.before ? onToken('Missing catch or finally after try', place.before) : undefined)],
  [/^line terminator not allowed after throw/, (place) => {
    const found = place.back(named('throw'));
    const isLast = found !== undefined && place.tokens[place.tokens.indexOf(found) + 1]?.kind === 'end';
    if (isLast && at(10)) return unexpected(place, place.tokens[place.tokens.length - 1]);
    return found && onToken('Illegal newline after throw', found);
  }],
  [/^super\(\) is only valid|^'super' is only valid|^invalid use of 'super'/, aside("'super' keyword unexpected here", named('super'))],
  [/^property constructor appears more than once/, aside('A class may only have one constructor', named('constructor'))],
  [/^invalid keyword: with/, aside('Strict mode code may not include a with statement', named('with'))],
  [/^cannot delete a direct reference/, aside('Delete of an unqualified identifier in strict mode.', isWord)],
  [/^cannot delete a private class field/, aside('Private fields can not be deleted', (one) => one.text.startsWith('#'))],
  [/octal literals are not allowed/i, aside('Octal literals are not allowed in strict mode.', ({ kind }) => kind === 'number')],
  [/^invalid (?:variable|argument|function) name in strict/, aside(({ text }) => (/^(?:eval|arguments)$/.test(text) ?
    'Unexpected eval or arguments in strict mode' : 'Unexpected strict mode reserved word'), isWord)],
  [/^'let' is not a valid lexical|^invalid lexical variable name/, aside('let is disallowed as a lexically bound name', named('let'))],
  [/is a reserved identifier/, (place) => {
    const quoted = /'(.*)'/.exec(place.said)?.[1] ?? 'yield';
    const isReserved = quoted === 'await' || quoted === 'enum';
    const words = isReserved ? 'Unexpected reserved word' : unexpected(place, { kind: 'word', text: quoted }).words;
    return aside(words, named(quoted))(place);
  }],
  [/^lexical declarations can't appear|^(?:class|function) declarations can't appear/, (place) => {
    const token = place.back(named('let', 'const', 'class', 'function'));
    if (token === undefined) return undefined;
    if (token.text === 'let') return onToken('Lexical declaration cannot appear in a single-statement context', token);
    if (token.text !== 'function') return unexpected(place, token);
    const where = 'functions can only be declared at top level';
    return onToken(place.isStrict ? `In strict mode code, ${where} or inside a block.` :
      `In non-strict mode code, ${where}, inside a block, or as the body of an if statement.`, token);
  }],
  [/^invalid destructuring target/, (place) => {
    const last = place.index - 1;
    if (last < 0) return undefined;
    return { words: 'Invalid destructuring assignment target', from: place.beginOf(last), to: place.tokens[last].to };
  }],
  [/^Duplicate parameter name/i, aside('Duplicate parameter name not allowed in this context', isWord)],
  [/^rest element must be the last|^assignment rest property must be last/, (place) => {
    const rest = place.back(named('...'));
    const i = place.tokens.indexOf(rest);
    return rest && { words: 'Rest element must be last element', from: rest.from, to: place.tokens[i + 1]?.to ?? rest.to };
  }],
  [/^unparenthesized unary expression/, (place) => {
    if (!at(12)) return aside('Unexpected token **', named('**'))(place);
    const i = place.tokens.indexOf(place.back(named('**')));
    const words = 'Unary operator used immediately before exponentiation expression. Parenthesis must be used to disambiguate operator ' +
      'precedence';
    return i < 2 ? undefined : { words, from: place.tokens[i - 2].from, to: place.tokens[i].to };
  }],
  [/^cannot mix \?\?/, aside(({ text }) => `Unexpected token '${text}'`, named('??', '||', '&&'))],
  [/^template literal cannot appear in an optional chain/, aside(() => (at(16) ? 'Invalid tagged template on optional chain' :
    'Unexpected template string'), ({ kind }) => kind === 'template' || kind === 'piece')],
  [/^duplicate __proto__/, aside('Duplicate __proto__ fields are not allowed in object literals', named('__proto__'))],
  [/^import\.meta only valid/, aside("Cannot use 'import.meta' outside a module", named('meta'))],
  [/^invalid regular expression flags/, ({ token }) => onFirst('Invalid regular expression flags', token)],
  [/^for await is only valid/, aside('Unexpected reserved word', named('await'))],
  [/^unsupported keyword: (\w+)/, (place) => {
    const token = place.back(named(/: (\w+)/.exec(place.said)[1]));
    return token && unexpected(place, token);
  }],
  [/^unexpected end of (?:string|comment|regexp)|^unexpected (?:character|line terminator)|^Invalid or unexpected|^invalid number literal/,
    (place) => {
      const last = place.tokens[place.tokens.length - 1];
      if (last.kind === 'illegal') return unexpected(place, last);
      return unexpected(place, place.tokens.find(({ kind }) => kind === 'unfinished') ?? last);
    }],
  [/^Unexpected|^unexpected token|^expecting|expected|^invalid (?:property|method|field) name/, misplaced],
  [/^invalid switch|^missing formal|requires a name/, misplaced],
];

// Expressions and private names have no place in what QuickJS says: the first that is wrong.
function wordsWithoutPlace(text, said) {
  const place = new Place(text, said, text.length);
  const [, name] = /^undefined private field '(.*)'/.exec(said) ?? [];
  for (const token of place.tokens) {
    if (name !== undefined && token.text === name) {
      place.index = place.tokens.indexOf(token);
      return undeclared(place);
    }
    if (token.kind !== 'expression') continue;
    const end = token.text.lastIndexOf('/');
    const source = token.text.slice(1, end);
    const flags = token.text.slice(end + 1);
    try {
      new RegExp(source, flags);
    } catch (error) {
      const words = wordsOfExpression(error.message, source, at(20) ? flags : '');
      if (error.message === 'invalid regular expression flags') return onFirst('Invalid regular expression flags', token);
      return words && { words, from: token.from, to: token.to };
    }
  }
  return undefined;
}

const kMost = 200000;  // characters: to read more takes too long

// V8's words for what QuickJS `said` of `text`, and the part of it that they are about: { words, from, to }. `offset`: QuickJS's place;
// undefined: it said none. `end`: where the program's own text ends. Undefined: nobody knows.
function wordsOfSyntax(text, said, offset, end = text.length) {
  if (text.length > kMost) return undefined;
  if (offset === undefined) return wordsWithoutPlace(text, said);
  const row = rows.find(([pattern]) => pattern.test(said));
  if (row === undefined) return undefined;
  const place = new Place(text, said, offset);
  const { tokens } = place;
  const last = tokens[tokens.length - 1];
  // What QuickJS has not come to does not count, and what it reads later than V8.
  if (last.kind === 'illegal' && last.from <= offset && place.index === tokens.length - 1) return unexpected(place, last);
  if (tokens.stray < place.index) return unexpected(place, tokens[end < text.length ? tokens.stray + 1 : tokens.stray]);
  if (place.token.from > end && place.token.text === ';') return onToken('Unexpected end of input', place.token);
  return row[1](place);
}

module.exports = { wordsOfSyntax };
