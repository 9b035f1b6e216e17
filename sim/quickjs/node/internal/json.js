// JSON.parse and JSON.stringify with V8's messages (v8/src/json/json-parser.cc, json-stringifier.cc).
'use strict';

const native = internalBinding;
const { nameBuiltin } = require('internal/stack');
const { parse: parseNative, stringify: stringifyNative } = JSON;
const { apply } = Reflect;

// Where the first token stands that no value begins with; the length of the text if it ends too early.
function wrongToken(text) {
  let before = '';  // the token before
  for (let i = 0; i < text.length;) {
    const c = text[i];
    if (/\s/.test(c)) {
      i++;
      continue;
    }
    if (c === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
      i++;
      before = c;
    } else if (/[\d-]/.test(c)) {
      while (i < text.length && /[-+.\deE]/.test(text[i])) i++;
      before = '0';
    } else if (/[[\]{},:]/.test(c)) {
      const wantsValue = before === '' || before === ',' || before === ':' || before === '[';
      if (wantsValue && /[\]},:]/.test(c) && !(before === '[' && c === ']')) return i;
      before = c;
      i++;
    } else {
      const literal = ['true', 'false', 'null'].find((word) => word[0] === c);
      if (literal === undefined) return i;
      for (let k = 0; k < literal.length; k++) if (text[i + k] !== literal[k]) return i + k;
      i += literal.length;
      before = 'l';
    }
  }
  return text.length;
}

// Where what follows the whole value begins.
function afterValue(text) {
  let depth = 0;
  for (const match of text.matchAll(/"(?:\\[^]|[^"\\])*"|[[{]|[\]}]|[^\s"[\]{},:]+/g)) {
    if (match[0] === '[' || match[0] === '{') depth++;
    else if (match[0] === ']' || match[0] === '}') depth--;
    if (depth === 0) {
      const end = match.index + match[0].length;
      return end + text.slice(end).search(/\S/);
    }
  }
  return text.length;
}

// Whether it ends within a string, and not within an escape.
function endsInString(text) {
  let isInside = false;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') isInside = !isInside;
    else if (isInside && text[i] === '\\') i++;
  }
  return isInside && !/\\(?:u[\da-f]{0,3})?$/i.test(text.slice(-6));
}

// V8's words for QuickJS's.
function words(message, text) {
  const { major } = native.facts;
  if (/^Unexpected end of JSON input/.test(message)) {
    if (major < 20 || !endsInString(text)) return undefined;
    message = `Unterminated string in JSON at position ${text.length}`;
  }
  if (message === 'unexpected data at the end') {
    message = `Unexpected non-whitespace character after JSON at position ${afterValue(text)}`;
  } else if (/^(?:Unexpected number|No number after minus sign) in JSON/.test(message)) {  // QuickJS's place is the number's
    message = message.replace(/position (\d+).*/, (it, place) => `position ${Number(place) + 1}`);
  }
  const at = /at position (\d+)/.exec(message);
  if (!at && !/^unexpected token/i.test(message)) return undefined;
  const where = at ? Number(at[1]) : wrongToken(text);
  if (major >= 20) {
    if (at && /,\s*$/.test(text.slice(0, where)) && /^Expected property name/.test(message)) {
      message = message.replace("property name or '}'", 'double-quoted property name');
    }
    if (at) {
      const lines = text.slice(0, where).split('\n');
      const place = major >= 22 ? ` (line ${lines.length} column ${lines[lines.length - 1].length + 1})` : '';
      return message.replace(/ \(line \d+ column \d+\)$|$/, place);
    }
    if (text === 'undefined' || text === 'NaN' || text === 'Infinity' || text === '[object Object]') return `"${text}" is not valid JSON`;
  }
  if (where >= text.length) return 'Unexpected end of JSON input';
  const c = String.fromCodePoint(text.codePointAt(where));
  if (major >= 20) {
    const kContext = 10;
    if (text.length <= 40) return `Unexpected token '${c}', "${text}" is not valid JSON`;
    const from = Math.max(0, where - kContext);
    const to = Math.min(text.length, where + kContext);
    return `Unexpected token '${c}', ${from > 0 ? '...' : ''}"${text.slice(from, to)}"${to < text.length ? '... ' : ' '}is not valid JSON`;
  }
  if (c === '"') return `Unexpected string in JSON at position ${where}`;
  if (/[\d-]/.test(c)) return `Unexpected number in JSON at position ${where}`;
  return `Unexpected token ${c} in JSON at position ${where}`;
}

function parse(text, reviver) {
  try {
    return parseNative(text, reviver);
  } catch (error) {
    if (error instanceof SyntaxError && typeof text !== 'symbol') {
      const better = words(error.message, `${text}`);
      if (better !== undefined) Object.defineProperty(error, 'message', { value: better });
    }
    throw error;
  }
}

// The way from an object back to itself.
function circle(value) {
  const path = [];
  const keys = [];
  const visit = (object, key) => {
    const at = path.indexOf(object);
    if (at >= 0) {
      keys.push(key);
      return at;
    }
    path.push(object);
    keys.push(key);
    const from = typeof object.toJSON === 'function' ? undefined : object;
    for (const own of from === undefined ? [] : Object.keys(from)) {
      const next = from[own];
      if (next === null || typeof next !== 'object') continue;
      const found = visit(next, own);
      if (found !== undefined) return found;
    }
    path.pop();
    keys.pop();
    return undefined;
  };
  const start = visit(value, '');
  return start === undefined ? undefined : { objects: path.slice(start), keys: keys.slice(start + 1), path, start };
}

function circularMessage(value) {
  const found = circle(value);
  if (found === undefined || native.facts.major < 12) return 'Converting circular structure to JSON';
  const nameOf = (object) => `object with constructor '${object.constructor?.name ?? 'Object'}'`;
  const keyOf = (holder, key) => (Array.isArray(holder) ? `index ${key}` : `property '${key}'`);
  const { objects, keys } = found;
  let text = `Converting circular structure to JSON\n    --> starting at ${nameOf(objects[0])}`;
  const last = keys.length - 1;
  for (let i = 0; i < last; i++) {
    if (i > 0 && i < last - 1 && last > 2) {
      if (i === 1) text += '\n    |     ...';
      continue;
    }
    text += `\n    |     ${keyOf(objects[i], keys[i])} -> ${nameOf(objects[i + 1])}`;
  }
  return `${text}\n    --- ${keyOf(objects[last], keys[last])} closes the circle`;
}

function stringify(value, replacer, space) {
  try {
    return stringifyNative(value, replacer, space);
  } catch (error) {
    if (error instanceof TypeError && error.message === 'circular reference') {
      Object.defineProperty(error, 'message', { value: circularMessage(value) });
    } else if (error instanceof TypeError && /bigint/i.test(error.message)) {
      Object.defineProperty(error, 'message', { value: 'Do not know how to serialize a BigInt' });
    }
    throw error;
  }
}

function install() {
  for (const fn of [parse, stringify]) {
    Object.defineProperty(JSON, fn.name, { value: fn, writable: true, enumerable: false, configurable: true });
    nameBuiltin(fn, `JSON.${fn.name}`);
  }
}

module.exports = { install };
