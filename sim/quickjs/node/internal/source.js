// Places in the program's text, as stacks of V8 name them.
'use strict';

const native = internalBinding;
const { wordsOfSyntax } = require('internal/syntax_words');
const { partsAt, valueOf } = require('internal/text_values');
const { atLeast } = require('internal/version');

// What stands before the text of a script (lib/module.js of Node 8).
const kWrapper = '(function (exports, require, module, __filename, __dirname) { ';

let program;  // { file, lines, shift }
let scriptShift = 0;  // of CommonJS modules
const modules = new Map();  // the same, by file

function textOf(file, source, shift) {
  const unknown = { code: undefined, classes: undefined, starts: undefined, isAscii: undefined, name: undefined };
  return { file, source, lines: source.split('\n'), shift, ...unknown };
}

// As stacks name a file: by its path, of an ES module by its URL.
const kFolder = '/usr/src/app';
function shownName({ file, shift }) {
  if (native.facts?.file === undefined) return file;
  const isMain = file === program.file;
  let path = isMain ? `${kFolder}/${native.facts.file}` : file;
  if (!path.startsWith('/')) {
    const parts = kFolder.split('/');
    for (const part of path.split('/')) {
      if (part === '..') parts.length = Math.max(1, parts.length - 1);
      else if (part !== '.') parts[parts.length] = part;
    }
    path = parts.join('/');
  }
  return shift === scriptShift ? path : `file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;
}

function nameOf(file) {
  const it = programOf(file);
  return it === undefined ? file : (it.name ??= shownName(it));
}

function programOf(file) {
  if (program === undefined) {
    if (native.programSource === undefined) return undefined;
    const { source, file: name, shift, scriptShift: ofScripts } = native.programSource();
    scriptShift = ofScripts;
    program = textOf(name, source, shift);
  }
  if (file === program.file) return program;
  return modules.get(file) ?? (file !== undefined && file === (program.name ??= shownName(program)) ? program : undefined);
}

let lastNoted;  // the module that was to be read last
function lastFile() { return lastNoted ?? (programOf(''), program?.file); }

// The text of a module. `shift`: how much stands before it in its first line, if it is no CommonJS module.
function noteModule(file, source, shift) {
  programOf('');
  lastNoted = file;
  const it = textOf(file, source, shift ?? scriptShift);
  modules.set(file, it);
  modules.set(it.name = shownName(it), it);
}

// The line of a place, and where the statement that throws there begins in it; undefined: it is not in the program.
function throwAt(file, line, column) {
  const it = programOf(file);
  if (it === undefined) return undefined;
  column = columnOf(it, line, column);
  const code = (it.code ??= codeOf(it.source));
  const offset = offsetOf(it, line, column);
  const from = Math.max(0, offset - 4000);
  const before = [...code.slice(from, offset + 1).matchAll(/\bthrow\b/g)].pop();
  if (before) {
    const at = from + before.index;
    if (!/[;}]/.test(code.slice(at, offset).replace(/\{[^{}]*\}/g, ''))) {
      while (line > 1 && it.starts[line - 1] > at) line--;
      column = at - it.starts[line - 1] + 1;
    }
  }
  return { line, column, text: it.lines[line - 1] ?? '' };
}

// The line of a place; undefined: it is not in the program.
function lineOf(file, line) { return programOf(file)?.lines[line - 1]; }

// Before Node 10 a script stands in a function's text, which stacks and reports show.
function isInWrapper(it) { return !atLeast(10) && it.shift === scriptShift; }

// What stands before the text of this line; '': nothing.
function wrapperAt(file, line) {
  const it = line === 1 ? programOf(file) : undefined;
  return it !== undefined && isInWrapper(it) ? kWrapper : '';
}

// An error of syntax that QuickJS tells of: { words, header }: V8's words, and what stands before them in the stack: its place, its line
// and marks under what it is about. Undefined: it is not in the program, or nobody knows.
// Without a `file`: it is what was to be read last, and QuickJS has told no place.
function syntaxAt(said, file = lastFile(), line = 0, bytes = 0) {
  const it = programOf(file);
  if (it === undefined) return undefined;
  const isWrapped = isInWrapper(it);
  const text = isWrapped ? `${it.source}\n});` : it.source;
  const offset = line > it.lines.length ? it.source.length + bytes : offsetOf(it, line, columnOf(it, line, bytes));
  const found = wordsOfSyntax(text, said, line === 0 ? undefined : offset, it.source.length);
  if (found === undefined) return undefined;
  const lines = isWrapped ? [...it.lines, '});'] : it.lines;
  offsetOf(it, 1, 1);
  let at = 1;
  while (at < lines.length && it.starts[at] <= found.from) at++;
  const shown = lines[at - 1];
  const from = found.from - it.starts[at - 1];
  const marks = '^'.repeat(Math.max(0, Math.min(found.to, it.starts[at - 1] + shown.length) - found.from));
  const prefix = isWrapped && at === 1 ? kWrapper : '';
  const indent = (prefix + shown.slice(0, from)).replace(/[^\t]/g, ' ');
  return { words: found.words, header: `${nameOf(file)}:${at}\n${prefix}${shown}\n${indent}${marks}` };
}

// Where the program throws what it has made before, or what is no error: the first statement that does whose text begins so,
// or that stands behind a place.
function throwOf(text, place) {
  programOf('');
  const code = (program.code ??= codeOf(program.source));
  const all = [...code.matchAll(/\bthrow\b(?!\s+new\b)/g)].map((match) => match.index);
  const from = place !== undefined && place.file === program.file ? offsetOf(program, place.line, place.column) : 0;
  const at = (text === '' ? all.find((offset) => offset > from)
    : all.find((offset) => program.source.slice(offset + 5).replace(/^\s+/, '').startsWith(text))) ?? all[0];
  if (at === undefined) return undefined;
  offsetOf(program, 1, 1);
  let line = 1;
  while (line < program.lines.length && program.starts[line] <= at) line++;
  return { file: program.file, line, column: at - program.starts[line - 1] + 1, text: program.lines[line - 1] };
}

// Where a module's own body waits: { line, column, text }. QuickJS's place is that of the last call or member before it: it is the
// innermost await around that, or the next one behind it. Undefined: there is none.
function topLevelAwait(file, line, column) {
  const it = programOf(file);
  if (it === undefined) return undefined;
  const offset = offsetOf(it, line, columnOf(it, line, column));
  const code = (it.code ??= codeOf(it.source));
  const all = awaitsOf(code);
  const inside = all.filter(({ from, to, isLoop }) => !isLoop && from <= offset && offset < to).pop();
  const next = all.find(({ from }) => from > offset);
  const loop = all.filter(({ from, to, isLoop }) => isLoop && from <= offset && offset < to).pop();
  const found = inside ?? (loop !== undefined && (next === undefined || next.from > loop.to) ? loop : next ?? loop ?? all[all.length - 1]);
  if (found === undefined) return undefined;
  const place = placeOf(it, found.at);
  return { ...place, text: it.lines[place.line - 1] };
}

// Those that are in no function: { from, to, at, isLoop }. `at`: where V8 has its place, which is the variable of a `for await`.
function awaitsOf(code) {
  const all = [];
  const word = /\bfor\s+await\s*\(\s*(?:(?:const|let|var|await\s+using|using)\b\s*)?|\bawait\b|=>|\{/g;
  for (let match; (match = word.exec(code)) !== null;) {
    const behind = match.index + match[0].length;
    if (match[0] === '=>') {
      const body = behind + /^\s*/.exec(code.slice(behind, behind + 1000))[0].length;
      word.lastIndex = code[body] === '{' ? closingOf(code, body) : endOf(code, body);
    } else if (match[0] === '{') {
      if (opensFunction(code, match.index)) word.lastIndex = closingOf(code, match.index);
    } else if (match[0].startsWith('for')) {
      const head = closingOf(code, code.indexOf('(', match.index)) + 1;
      const body = head + /^\s*/.exec(code.slice(head, head + 1000))[0].length;
      const to = code[body] === '{' ? closingOf(code, body) : endOf(code, body);
      all.push({ from: match.index, to, at: behind, isLoop: true });
    } else if (!/^\s+using\b/.test(code.slice(behind, behind + 100))) {
      all.push({ from: match.index, to: endOf(code, behind), at: match.index, isLoop: false });
    }
  }
  return all;
}

// The await, or yield*, that a call or member belongs to: { line, column }.
function awaitAt(it, offset) {
  const code = (it.code ??= codeOf(it.source));
  const from = Math.max(0, offset - 4000);
  const word = /\bfor\s+await\s*\(\s*(?:(?:const|let|var|await\s+using|using)\b\s*)?|\bawait\b|\byield\s*\*/g;
  const all = [...code.slice(from, offset + 1000).matchAll(word)];
  let next;
  for (let i = all.length - 1; i >= 0; i--) {
    const at = from + all[i].index;
    const behind = at + all[i][0].length;
    if (at > offset) {
      next = at;
    } else if (all[i][0].startsWith('for')) {
      // What it waits for next has the place of what its body did last.
      if (statementEnd(code, closingOf(code, code.indexOf('(', at)) + 1) >= offset) return placeOf(it, behind);
    } else if (endOf(code, behind) > offset) {
      return placeOf(it, at);
    }
  }
  return next === undefined ? undefined : placeOf(it, next);
}

// Whether a brace begins the body of a function: it is behind its parameters.
function opensFunction(code, at) {
  const before = /\)\s*$/.exec(code.slice(Math.max(0, at - 200), at));
  if (before === null) return false;
  const open = openingOf(code, Math.max(0, at - 200) + before.index);
  return open !== undefined && !/\b(?:if|for|while|switch|catch|with|await)\s*$/.test(code.slice(Math.max(0, open - 50), open));
}

// The text without what is no code: strings, comments, templates and regular expressions are blanks of the same length.
const kBeforeExpression = /^(?:return|typeof|case|in|of|delete|void|throw|new|await|yield)$/;
function codeOf(source) {
  const out = source.split('');
  const blank = (from, to) => { for (let k = from; k < to && k < out.length; k++) if (out[k] !== '\n') out[k] = ' '; };
  const depths = [];  // of braces in templates
  let i = 0;
  let before = '';  // the last character of code
  let word = '';
  const template = (from) => {
    let k = from;
    while (k < source.length) {
      if (source[k] === '\\') k += 2;
      else if (source[k] === '`') { blank(from, k); return k + 1; }
      else if (source[k] === '$' && source[k + 1] === '{') { blank(from, k + 2); depths.push(0); return k + 2; }
      else k++;
    }
    blank(from, k);
    return k;
  };
  while (i < source.length) {
    const c = source[i];
    if (c === '/' && source[i + 1] === '/') {
      const end = source.indexOf('\n', i);
      const to = end < 0 ? source.length : end;
      blank(i, to);
      i = to;
    } else if (c === '/' && source[i + 1] === '*') {
      const end = source.indexOf('*/', i + 2);
      const to = end < 0 ? source.length : end + 2;
      blank(i, to);
      i = to;
    } else if (c === '"' || c === "'") {
      let k = i + 1;
      while (k < source.length && source[k] !== c && source[k] !== '\n') k += source[k] === '\\' ? 2 : 1;
      blank(i + 1, k);
      i = k + 1;
      before = c;
    } else if (c === '`') {
      i = template(i + 1);
      before = c;
    } else if (c === '/' && (/[(,=:[!&|?{};+\-*%<>~^]|^$/.test(before) || kBeforeExpression.test(word))) {
      let k = i + 1;
      let isSet = false;
      while (k < source.length && source[k] !== '\n' && (isSet || source[k] !== '/')) {
        if (source[k] === '\\') k++;
        else if (source[k] === '[') isSet = true;
        else if (source[k] === ']') isSet = false;
        k++;
      }
      blank(i, k + 1);
      i = k + 1;
      before = ')';
    } else {
      if (depths.length > 0) {
        if (c === '{') depths[depths.length - 1]++;
        else if (c === '}' && depths[depths.length - 1]-- === 0) {
          depths.pop();
          out[i] = ' ';
          i = template(i + 1);
          before = '`';
          continue;
        }
      }
      if (/[\w$]/.test(c)) word = /[\w$]/.test(before) && i > 0 && /[\w$]/.test(source[i - 1]) ? word + c : c;
      else if (!/\s/.test(c)) word = '';
      if (!/\s/.test(c)) before = c;
      i++;
    }
  }
  return out.join('');
}

// [name, first, last] of each class with a name.
function classesOf(code) {
  const found = [];
  for (const match of code.matchAll(/\bclass\s+([\w$]+)(?:\s+extends\b[^{]*)?\s*\{|([\w$]+)\s*=\s*class(?:\s+extends\b[^{]*)?\s*\{/g)) {
    let depth = 0;
    let end = match.index + match[0].length - 1;
    for (; end < code.length; end++) {
      if (code[end] === '{') depth++;
      else if (code[end] === '}' && --depth === 0) break;
    }
    found.push([match[1] ?? match[2], match.index, end]);
  }
  return found;
}

// QuickJS's columns are bytes, and those of the first line count what stands before the program's own text; V8's are UTF-16 code units.
function columnOf(it, line, bytes) {
  const own = line === 1 ? bytes - it.shift : bytes;
  it.isAscii ??= !/[^\x00-\x7f]/.test(it.source);
  if (it.isAscii) return own;
  const text = it.lines[line - 1] ?? '';
  let i = 0;
  for (let passed = 1; passed < own && i < text.length; i++) {
    const unit = text.charCodeAt(i);
    passed += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (unit >= 0xd800 && unit < 0xdc00 && text.charCodeAt(i + 1) >= 0xdc00) {  // four bytes
      passed++;
      i++;
    }
  }
  return i + 1;
}

function offsetOf(it, line, column) {
  if (it.starts === undefined) {
    it.starts = [0];
    for (const text of it.lines) it.starts.push(it.starts[it.starts.length - 1] + text.length + 1);
  }
  return it.starts[line - 1] + column - 1;
}

// From a place that is no call's own to the call of `callee` around it; undefined: there is none.
const kNoName = /^(?:return|typeof|case|in|of|delete|void|throw|new|await|yield|else|do|instanceof|\d.*)$/;
function enclosingCall(it, offset, callee) {
  const code = (it.code ??= codeOf(it.source));
  let depth = 0;
  for (let i = offset - 1, least = Math.max(0, offset - 4000); i >= least; i--) {
    const c = code[i];
    if (c === ')' || c === ']' || c === '}') depth++;
    else if (c === '[' || c === '{') depth = Math.max(0, depth - 1);
    else if (c === '(' && depth > 0) depth--;
    else if (c === '(') {
      const name = /(?:[\w$]+\s*\.\s*)*?([\w$#]+)\s*$/.exec(code.slice(Math.max(0, i - 80), i));
      if (name && name[1] === callee) return Math.max(0, i - 80) + name.index + name[0].lastIndexOf(name[1]);
    }
  }
  return undefined;
}

// What is at a place that QuickJS names, or undefined when that is not in the program's text. `callee`: the name of the
// function that is called there, `new NAME` for a class.
function locate(file, line, column, callee = '') {
  const it = programOf(file);
  if (it === undefined) return undefined;
  column = columnOf(it, line, column);
  let text = it.lines[line - 1] ?? '';
  // In the first line QuickJS counts one less where a call stands in the function around a script.
  if (line === 1 && text[column] === '(' && text[column - 1] !== '(') column++;
  else if (line === 1 && it.shift > 0 && !/[\w$#([{'"`/<]/.test(text[column - 1] ?? ' ')) column++;
  // The place of a call is that of its `(` (tools/quickjs/patch_wasm.py); V8's is where the last name before it begins.
  let called = text[column - 1] === '(' ? offsetOf(it, line, column) : undefined;
  if (called !== undefined) {
    const last = /([\w$#]+)\s*(?:\?\.\s*)?$/.exec((it.code ??= codeOf(it.source)).slice(Math.max(0, called - 200), called));
    // Where a private method is called, V8's place is that of the bracket, too.
    if (last && !kNoName.test(last[1]) && !last[1].startsWith('#')) {
      const offset = Math.max(0, called - 200) + last.index;
      while (line > 1 && it.starts[line - 1] > offset) line--;
      column = offset - it.starts[line - 1] + 1;
      text = it.lines[line - 1];
    }
  }
  const accessor = /^([gs])et (#?[\w$]+)$/.exec(callee);
  if (accessor !== null && (called === undefined || accessor[1] === 's')) {
    // Searched once for each place.
    const at = offsetOf(it, line, column);
    const known = `${at} ${callee}`;
    it.accessed ??= new Map();
    if (!it.accessed.has(known)) it.accessed.set(known, accessedAt(it, offsetOf(it, line, 1), at, accessor[2], accessor[1] === 's'));
    const offset = it.accessed.get(known);
    if (offset !== undefined) {
      ({ line, column } = placeOf(it, offset));
      text = it.lines[line - 1];
    }
    called = undefined;
  }
  const name = called === undefined && accessor === null ? /[^ ]*$/.exec(callee)[0] : '';
  if (name && text.slice(column - 1, column - 1 + name.length) !== name) {
    const offset = enclosingCall(it, offsetOf(it, line, column), name);
    if (offset !== undefined) {
      while (line > 1 && it.starts[line - 1] > offset) line--;
      column = offset - it.starts[line - 1] + 1;
      text = it.lines[line - 1];
    }
  }
  // QuickJS names the constructor's place, V8 that of `new` before it.
  const made = /\bnew\s+(?:[\w$]+\s*\.\s*)*$/.exec(text.slice(0, column - 1));
  const isOfExpression = made === null && called !== undefined && (it.code[called - 1] === ')' || it.code[called - 1] === ']');
  const madeAt = isOfExpression ? newBefore(it.code, called) : undefined;
  if (made) column = made.index + 1;
  else if (madeAt !== undefined) ({ line, column } = placeOf(it, madeAt));
  else if (called === undefined && kConverts.test(callee)) column = convertedAt(it, offsetOf(it, line, column), column);
  text = it.lines[line - 1] ?? '';
  return {
    line,
    column,
    text,
    rest: text.slice(column - 1),
    // What the call that stands here calls, as V8 prints it; undefined: there is no call.
    callee: () => (called === undefined ? undefined : calleeBefore(it, called)?.words),
    // The texts of the call's arguments, and what the program's text tells of the value of one, or of any expression
    // (internal/text_values.js).
    args() {
      it.code ??= codeOf(it.source);
      const offset = offsetOf(it, line, column);
      const open = called ?? it.code.indexOf('(', offset);
      return open < 0 ? [] : partsAt(it, open);
    },
    valueOf(part) {
      it.code ??= codeOf(it.source);
      return valueOf(it, typeof part === 'string' ? { text: part, at: Math.max(0, it.source.indexOf(part, offsetOf(it, line, 1))) } : part);
    },
    // The pattern that takes values apart and begins here: { opens, key, target, taken, from, isParameter }: its bracket, its first name,
    // where what that goes to stands, its initialiser and where that stands, and whether it is a parameter. Undefined: there is none.
    pattern: () => patternAt(it, offsetOf(it, line, column)),
    awaitPlace: () => awaitAt(it, offsetOf(it, line, column)),
    inferredName: (own) => inferredNameAt(it, offsetOf(it, line, column), own),
    classAt() {
      it.classes ??= classesOf(it.code ??= codeOf(it.source));
      const offset = offsetOf(it, line, column);
      let own;
      for (const [className, first, last] of it.classes) if (first <= offset && offset <= last) own = className;
      return own;
    },
  };
}

// Where the member `name` is read, or the operator stands that sets it (`isSet`), near `offset`, whose line begins at `from`; undefined:
// there is none.
const kAssigns = '\\s*(?=(?:[-+*/%&|^]|\\*\\*|<<|>>>?|&&|\\|\\||\\?\\?)?=(?![=>])|\\+\\+|--)';
function accessedAt(it, from, offset, name, isSet) {
  const code = (it.code ??= codeOf(it.source));
  const end = code.indexOf('\n', from);
  const member = new RegExp(`[.]\\s*(${name.replaceAll('$', '\\$')})(?![\\w$])(?:(${kAssigns})|)`, 'g');
  for (const to of [end < 0 ? code.length : end, from + 500]) {
    const text = code.slice(from, to);
    const all = [...text.matchAll(member)];
    const ofSet = isSet ? all.filter((one) => one[2] !== undefined) : [];
    const some = ofSet.length > 0 ? ofSet : all;
    const found = some.find((one) => from + one.index + 1 >= offset - 1) ?? some[some.length - 1];
    if (found !== undefined) return from + found.index + found[0].length - (ofSet.length > 0 ? 0 : name.length + (found[2] ?? '').length);
    const elements = isSet ? [...text.matchAll(new RegExp(`\\]${kAssigns}`, 'g'))] : [];
    if (elements.length === 1) return from + elements[0].index + elements[0][0].length;
  }
  return undefined;
}

// Where `new` stands before the brackets of its arguments at `at`, behind an expression that calls nothing; undefined: it does not.
function newBefore(code, at) {
  for (let parts = 0; parts < 100; parts++) {
    while (at > 0 && /\s/.test(code[at - 1])) at--;
    const isGroup = code[at - 1] === ')';
    if (isGroup || code[at - 1] === ']') {
      at = openingOf(code, at - 1) ?? 0;
      if (!isGroup) continue;
    } else {
      const name = /[\w$#]+$/.exec(code.slice(Math.max(0, at - 200), at));
      if (name === null) return undefined;
      at -= name[0].length;
      if (/\.\s*$/.test(code.slice(Math.max(0, at - 50), at))) {
        at = code.lastIndexOf('.', at);
        continue;
      }
    }
    const found = /(?<![.\w$])new\s*$/.exec(code.slice(Math.max(0, at - 50), at));
    return found === null ? undefined : Math.max(0, at - 50) + found.index;
  }
  return undefined;
}

// The column of what makes a text or a number of a value at `offset`: a template has that of the value's last member, or of the first one
// of an object that stands there; an operator, and a key in brackets, have their own.
const kConverts = /^(?:concat|toString|valueOf|\[Symbol\.toPrimitive\])$/;
function convertedAt(it, offset, column) {
  const rest = it.source.slice(offset, offset + 300);
  if (rest[0] === '`') {
    const literal = atLeast(10) ? /^`[^`$]*\$\{\s*\{\s*(?=[\w$])/.exec(rest) : null;
    return column + (literal ? literal[0].length : 0);
  }
  if (/\$\{\s*$/.test(it.source.slice(Math.max(0, offset - 20), offset))) {
    const names = /^[\w$]+(?:\s*\.\s*[\w$]+)*\s*(?=\.\s*([\w$]+)\s*\})/.exec(rest);
    if (names) return column + rest.indexOf(names[1], names[0].length);
    const element = /^[\w$.]+(?=\[[^[\]]*\]\s*\})/.exec(rest);
    return column + (element ? element[0].length : 0);
  }
  const before = (it.code ??= codeOf(it.source)).slice(Math.max(0, offset - Math.min(column - 1, 20)), offset);
  const operator = /(?:(?:\*\*|<<|>>>?|[-+*/%&|^])=?|[<>]=?|[=!]==?|\[)\s*$/.exec(before);
  return operator === null ? column : column - operator[0].length;
}

// V8's name for a function without one: of what it is assigned to (v8/src/parsing/func-name-inferrer.cc). `own`: its text, which an offset
// is in.
function inferredNameAt(it, offset, own) {
  let from = it.source.lastIndexOf(own, offset);
  if (from < 0 || from + own.length < offset) return '';
  const code = (it.code ??= codeOf(it.source));
  const before = code.slice(Math.max(0, from - 300), from);
  const target = /(?:^|[^\w$.])([\w$]+(?:\s*\.\s*[\w$]+)+)\s*=\s*(?:[\w$]+(?:\s*\.\s*[\w$]+)*\s*=\s*)*(?:async\s*)?\(?\s*$/.exec(before);
  if (target === null) return '';
  const names = target[1].split('.').map((name) => name.trim()).filter((name) => name !== 'prototype' && name !== 'this');
  return names.join('.');
}

function placeOf(it, offset) {
  let line = 1;
  while (line < it.lines.length && it.starts[line] <= offset) line++;
  return { line, column: offset - it.starts[line - 1] + 1 };
}

// From an opening bracket to the one that closes it.
function closingOf(code, from) {
  let depth = 0;
  for (let i = from, most = Math.min(code.length, from + 100000); i < most; i++) {
    if (/[([{]/.test(code[i])) depth++;
    else if (/[)\]}]/.test(code[i]) && --depth === 0) return i;
  }
  return code.length;
}

// Where an expression ends that begins at `from`: at the first of , ; ) ] } and the end of its line that is in none of its brackets.
function endOf(code, from) {
  for (let i = from; i < code.length; i++) {
    if (/[([{]/.test(code[i])) i = closingOf(code, i);
    else if (/[,;)\]}\n]/.test(code[i])) return i;
  }
  return code.length;
}

// The same of a statement: a block, or up to a semicolon.
function statementEnd(code, from) {
  const begins = from + code.slice(from, from + 1000).search(/\S|$/);
  return code[begins] === '{' ? closingOf(code, begins) : endOf(code, begins);
}

function patternAt(it, offset) {
  const code = (it.code ??= codeOf(it.source));
  const opens = code[offset];
  if (opens !== '{' && opens !== '[') return undefined;
  const behind = closingOf(code, offset) + 1;
  const first = /^\{\s*(?:(['"])(.*?)\1|([\w$]+))\s*(:\s*)?/.exec(it.source.slice(offset, offset + 1000));
  const key = first ? first[2] ?? first[3] : undefined;
  const target = first ? offset + (first[4] ? first[0].length : first[0].search(/['"\w$]/)) : offset;
  const found = { opens, key, target: placeOf(it, target), taken: undefined, from: undefined, isParameter: false };
  const rest = code.slice(behind, behind + 200);
  const assigned = /^\s*=\s*(?![=>])/.exec(rest);
  if (assigned) {
    const from = behind + assigned[0].length;
    found.from = placeOf(it, from);
    found.taken = it.source.slice(from, endOf(code, from)).trim();
  } else {
    found.isParameter = /[(,]\s*$/.test(code.slice(Math.max(0, offset - 100), offset)) && /^\s*[,)]/.test(rest);
  }
  return found;
}

// Where the bracket is that the one at `end` closes.
function openingOf(code, end) {
  let depth = 0;
  for (let i = end, least = Math.max(0, end - 100000); i >= least; i--) {
    if (/[)\]}]/.test(code[i])) depth++;
    else if (/[([{]/.test(code[i]) && --depth === 0) return i;
  }
  return undefined;
}

// The expression that ends before `end`, as V8 prints what is called (v8/src/ast/prettyprinter.cc, CallPrinter): names, members, calls:
// { words, start }; undefined: it is something else.
function calleeBefore(it, end) {
  const { code } = it;
  let words = '';
  let at = end;
  const skip = () => { while (at > 0 && /\s/.test(code[at - 1])) at--; };
  for (let parts = 0; parts < 100; parts++) {
    skip();
    if (code[at - 1] === '.' && code[at - 2] === '?') at -= 2;
    skip();
    const last = code[at - 1];
    if (last === ')' || last === ']') {
      const close = at - 1;
      const open = openingOf(code, close);
      if (open === undefined) return undefined;
      const inner = it.source.slice(open + 1, close).trim();
      at = open;
      skip();
      const head = /([\w$#]+|[)\]}'"`]|\?\.)$/.exec(code.slice(Math.max(0, at - 200), at));
      const hasHead = head !== null && !kNoName.test(head[1]);
      if (hasHead) {
        words = (last === ')' ? '(...)' : printedKey(inner)) + words;
        continue;
      }
      if (last === ']') return { words: `[${inner.replace(/\s+/g, '')}]${words}`, start: open };
      const own = calleeBefore(it, close);
      const isAll = own !== undefined && code.slice(open + 1, own.start).trim() === '';
      const isPlain = /^[\w$.\s|&?]+$/.test(inner);
      return { words: (isAll ? own.words : isPlain ? `(${inner})` : '(intermediate value)') + words, start: open };
    }
    const name = /[\w$#]+$/.exec(code.slice(Math.max(0, at - 200), at));
    if (name === null) return words === '' || !/["'`}]/.test(last) ? undefined : { words: `(intermediate value)${words}`, start: at };
    at -= name[0].length;
    words = name[0] + words;
    skip();
    if (code[at - 1] !== '.' || /[.\d]/.test(code[at - 2] ?? '')) return { words, start: at };
    at -= code[at - 2] === '?' ? 2 : 1;
    words = `.${words}`;
  }
  return undefined;
}

// A member by its key: a text is a name, a binary expression is in brackets.
function printedKey(key) {
  const name = /^(['"])(.*)\1$/.exec(key);
  if (name && !name[2].includes(name[1])) return `.${name[2]}`;
  const text = key.replace(/([\w$\])])\([^()]*\)/g, '$1(...)').replace(/'((?:[^'\\"]|\\.)*)'/g, '"$1"');
  return /\s[-+*/%|&<>]+\s/.test(text) ? `[(${text})]` : `[${text}]`;
}

const functionToString = Function.prototype.toString;

// Whether it is the function around a CommonJS module.
function isWrapper(fn) {
  return typeof fn === 'function' && Reflect.apply(functionToString, fn, []).startsWith('function (exports, require, module, __filename');
}

// The call of an assertion at or around a place as QuickJS names it: `assert.ok(x > 1)`, with its further lines moved to
// the left.
function callAround(file, line, column) {
  const it = programOf(file);
  if (it === undefined) return undefined;
  const code = (it.code ??= codeOf(it.source));
  let offset = offsetOf(it, line, columnOf(it, line, column));
  const isCall = /^[\w$#]+\s*\(/.test(code.slice(offset, offset + 200));
  if (!isCall || !/^(?:ok|assert)\b/.test(code.slice(offset, offset + 10))) {
    const around = enclosingCall(it, offset, 'ok') ?? enclosingCall(it, offset, 'assert');
    if (around === undefined && !isCall) return undefined;
    offset = around ?? offset;
  }
  let from = offset;
  while (from > 0 && /[\w$.]/.test(code[from - 1])) from--;
  let end = code.indexOf('(', offset);
  for (let depth = 0; end < code.length; end++) {
    if (code[end] === '(') depth++;
    else if (code[end] === ')' && --depth === 0) break;
  }
  const indentation = from - (it.source.lastIndexOf('\n', from) + 1);
  return it.source.slice(from, end + 1).split('\n').map((text, i) => (i === 0 ? text :
    `  ${text.slice(Math.min(/^ */.exec(text)[0].length, Math.max(indentation, 4)))}`)).join('\n');
}

module.exports = { callAround, endOf, isWrapper, lineOf, locate, nameOf, noteModule, syntaxAt, throwAt, throwOf, topLevelAwait, wrapperAt };
