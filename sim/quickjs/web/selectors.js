// Selectors: tag, *, #id, .class, [attribute], some pseudo-classes, the four combinators, commas (Selectors standard).
'use strict';

const { childElements, dataOf, elementsOf, kElement, rootOf, siblingOf } = require('web/tree');
const { domError } = require('web/words');

const kName = '(?:[-\\w\\u0080-\\uffff]|\\\\.)+';
const kValue = `"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<word>${kName})`;
const kPart = new RegExp([
  `(?<id>#${kName})`, `(?<class>\\.${kName})`,
  `\\[\\s*(?<attribute>${kName})\\s*(?:(?<operator>[~|^$*]?=)\\s*(?:${kValue})\\s*(?<i>[iI])?\\s*)?\\]`,
  '::(?:before|after|first-line|first-letter|placeholder|selection)(?<element>)',
  `:(?<pseudo>[-\\w]+)(?<open>\\()?`, `(?<any>\\*)`, `(?<tag>${kName})`,
].join('|'), 'y');
const plain = (text) => text.replace(/\\(.)/g, '$1');

const parsed = new Map();

// A list of complex selectors: each [compound, combinator, compound ...], a compound as a list of tests. undefined: no selector.
function parse(text) {
  if (!parsed.has(text)) parsed.set(text, read(text));
  return parsed.get(text);
}

function read(text) {
  const list = [[]];
  let compound = null;
  let at = 0;
  const skip = () => { while (at < text.length && /[\t\n\f\r ]/.test(text[at])) at++; };
  skip();
  while (at < text.length) {
    const begin = at;
    skip();
    const isSpace = at > begin;
    if (at >= text.length) break;
    const complex = list.at(-1);
    if (/[,>+~]/.test(text[at])) {
      if (!compound) return undefined;
      if (text[at] === ',') list.push([]);
      else complex.push(text[at]);
      at++;
      compound = null;
      skip();
      continue;
    }
    if (isSpace && compound) {
      complex.push(' ');
      compound = null;
    }
    kPart.lastIndex = at;
    const found = kPart.exec(text);
    if (!found) return undefined;
    at = kPart.lastIndex;
    const { groups } = found;
    if ((groups.tag || groups.any) && compound) return undefined;
    if (!compound) list.at(-1).push(compound = []);
    let inside;
    if (groups.open) {
      let depth = 1;
      const from = at;
      for (; at < text.length && depth > 0; at++) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
      if (depth > 0) return undefined;
      inside = text.slice(from, at - 1);
    }
    const test = testOf(groups, inside);
    if (!test) return undefined;
    compound.push(test);
  }
  return compound ? list : undefined;
}

function testOf(groups, inside) {
  if (groups.element !== undefined) return () => false;  // no element of the tree
  if (groups.any) return () => true;
  if (groups.tag) {
    const tag = plain(groups.tag).toLowerCase();
    if (/^\d|^-\d/.test(tag)) return undefined;
    return (element) => dataOf(element).name === tag;
  }
  if (groups.id) {
    const id = plain(groups.id.slice(1));
    return /^\d/.test(groups.id.slice(1)) ? undefined : (element) => dataOf(element).attributes.get('id') === id;
  }
  if (groups.class) {
    const name = plain(groups.class.slice(1));
    if (/^\d/.test(groups.class.slice(1))) return undefined;
    return (element) => (dataOf(element).attributes.get('class') ?? '').split(/[\t\n\f\r ]+/).includes(name);
  }
  if (groups.attribute) return attributeTest(groups);
  return pseudoTest(groups.pseudo.toLowerCase(), inside);
}

function attributeTest(groups) {
  if (/^-?\d/.test(groups.attribute) || /^-?\d/.test(groups.word ?? '')) return undefined;  // no names
  const name = plain(groups.attribute).toLowerCase();
  const fold = (text) => (groups.i ? text.toLowerCase() : text);
  const wanted = fold(groups.double ?? groups.single ?? plain(groups.word ?? ''));
  const tests = {
    '=': (value) => value === wanted,
    '~=': (value) => value.split(/[\t\n\f\r ]+/).includes(wanted),
    '|=': (value) => value === wanted || value.startsWith(`${wanted}-`),
    '^=': (value) => wanted !== '' && value.startsWith(wanted),
    '$=': (value) => wanted !== '' && value.endsWith(wanted),
    '*=': (value) => wanted !== '' && value.includes(wanted),
  };
  const test = groups.operator ? tests[groups.operator] : () => true;
  return (element) => {
    const value = dataOf(element).attributes.get(name);
    return value !== undefined && test(fold(value));
  };
}

const isChecked = (element) => (element.type === 'checkbox' || element.type === 'radio' ? element.checked : Boolean(element.selected));
function siblingElements(element) { return dataOf(element).parent === null ? [element] : childElements(dataOf(element).parent); }

const sameType = (element) => siblingElements(element).filter((one) => dataOf(one).name === dataOf(element).name);

function pseudoTest(name, inside) {
  switch (name) {
    case 'first-child': return (element) => siblingElements(element)[0] === element;
    case 'last-child': return (element) => siblingElements(element).at(-1) === element;
    case 'only-child': return (element) => siblingElements(element).length === 1;
    case 'empty': return (element) => dataOf(element).children.length === 0;
    case 'root': return (element) => element === globalThis.document.documentElement;
    case 'scope': return (element, scope) => element === (dataOf(scope).type === kElement ? scope : globalThis.document.documentElement);
    case 'checked': return isChecked;
    case 'disabled': return (element) => element.disabled === true;
    case 'enabled': return (element) => element.disabled === false;
    case 'focus': return (element) => globalThis.document.activeElement === element;
    case 'hover': case 'active': case 'visited': return () => false;
    case 'has': {
      const list = parse(inside ?? '');
      return list && ((element) => elementsOf(element).some((one) => matchesList(one, list, element)));
    }
    case 'first-of-type': return (element) => sameType(element)[0] === element;
    case 'last-of-type': return (element) => sameType(element).at(-1) === element;
    case 'only-of-type': return (element) => sameType(element).length === 1;
    case 'nth-child': case 'nth-last-child': case 'nth-of-type': case 'nth-last-of-type': {
      const found = /^\s*(?:(odd|even)|([-+]?\d*)n\s*(?:([-+])\s*(\d+))?|([-+]?\d+))\s*$/i.exec(inside ?? '');
      if (!found) return undefined;
      const [, word, step, sign, offset, only] = found;
      const a = word ? 2 : only ? 0 : step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step);
      const b = word ? (word.toLowerCase() === 'odd' ? 1 : 0) : only ? Number(only) : Number(`${sign ?? '+'}${offset ?? 0}`);
      return (element) => {
        const all = name.endsWith('type') ? sameType(element) : siblingElements(element);
        const index = name.includes('last') ? all.length - all.indexOf(element) : all.indexOf(element) + 1;
        return a === 0 ? index === b : (index - b) % a === 0 && (index - b) / a >= 0;
      };
    }
    case 'not': case 'is': case 'where': {
      const list = parse(inside ?? '');
      return list && ((element, scope) => matchesList(element, list, scope) === (name !== 'not'));
    }
    default: return undefined;
  }
}

function matchesComplex(element, complex, scope, end = complex.length - 1) {
  if (!complex[end].every((test) => test(element, scope))) return false;
  if (end === 0) return true;
  const rest = (other) => matchesComplex(other, complex, scope, end - 2);
  const isElement = (node) => node !== null && dataOf(node).type === kElement;
  const elementBefore = (node) => {
    let at = siblingOf(node, -1);
    while (at !== null && !isElement(at)) at = siblingOf(at, -1);
    return at;
  };
  switch (complex[end - 1]) {
    case '>': return isElement(dataOf(element).parent) && rest(dataOf(element).parent);
    case '+': return elementBefore(element) !== null && rest(elementBefore(element));
    case '~':
      for (let at = elementBefore(element); at !== null; at = elementBefore(at)) if (rest(at)) return true;
      return false;
    default:
      for (let at = dataOf(element).parent; isElement(at); at = dataOf(at).parent) if (rest(at)) return true;
      return false;
  }
}

function matchesList(element, list, scope) { return list.some((complex) => matchesComplex(element, complex, scope)); }

// The parsed text; throws when it is none. Interface, member: of who asks.
function selectorOf(text, Interface, member) {
  const list = parse(text);
  if (list) return list;
  throw domError('SyntaxError', Interface, member,
                 text === '' ? 'The provided selector is empty.' : `'${text}' is not a valid selector.`,
                 `'${text}' is not a valid selector`);
}

const matches = (element, list, scope = rootOf(element)) => matchesList(element, list, scope);

module.exports = { matches, selectorOf };
