// Errors of properties in V8's words (v8/src/common/message-template.h): what QuickJS says, and the object and the key that it is about.
'use strict';

const native = internalBinding;
const { wordsOfProxy } = require('internal/proxy_words');

const { getOwnPropertyDescriptor, isExtensible, isSealed } = Object;
const { isArray } = Array;
let textOf;  // of internal/words, which needs the stack's names of functions
const at = (major) => native.facts.major >= major;
const kDefines = /^(?:Function|Reflect)\.define/;

function textOfKey(key) { return typeof key === 'symbol' ? textOf(key) : `${key}`; }

// V8 up to 10 sorted up to ten elements by inserting: what it writes first is the second one; but undefined goes to the end before.
const kInserted = 10;
function firstSorted(object) {
  const length = getOwnPropertyDescriptor(object, 'length')?.value;
  if (at(11) || !(length > 1) || length > kInserted) return '0';
  let hasNothing = false;
  for (let i = 0; i < length; i++) {
    const isNothing = getOwnPropertyDescriptor(object, i)?.value === undefined;
    if (hasNothing && !isNothing) return '0';
    hasNothing ||= isNothing;
  }
  return '1';
}

// QuickJS leaves one element alone where the others are undefined.
function sortedName(name, object) {
  if (name === '0') return firstSorted(object);
  const isFirstKept = name === '1' && at(12) && getOwnPropertyDescriptor(object, 0)?.writable === false;
  return isFirstKept ? '0' : name;
}

// An array's length that cannot be changed is in the way of a new element.
function lengthWords(object, key, called) {
  if (kDefines.test(called)) return notDefined(key);
  return called === '' && !isExtensible(object) ? notAdded(key) : notAssigned('length', object);
}

const kNamespace = 11;  // the number of QuickJS's class
function isNamespace(object) { return native.classId(object) === kNamespace; }

function notAssigned(name, object) {
  if (at(26) && isNamespace(object)) return `Cannot assign to property '${name}' of ${textOf(object)}`;
  return `Cannot assign to read only property '${name}' of ${at(6) ? `${typeof object} '${textOf(object)}'` : textOf(object)}`;
}

function notAdded(key) { return `${at(8) ? 'Cannot' : "Can't"} add property ${textOfKey(key)}, object is not extensible`; }
function notDefined(key) {
  return at(8) ? `Cannot define property ${textOfKey(key)}, object is not extensible` :
    `Cannot define property:${textOfKey(key)}, object is not extensible.`;
}

const rows = [
  [/^'(.*)' is read-only$/, ([, name], [object, key], called) => {
    if (textOfKey(key) !== name) return name === 'length' && isArray(object) ? lengthWords(object, key, called) : undefined;
    if (kDefines.test(called)) return `Cannot redefine property: ${name}`;
    return notAssigned(called === 'Array.sort' ? sortedName(name, object) : name, object);
  }],
  [/^object is not extensible$/, (match, [object, key], called) => {
    if (key === undefined) return `${textOf(object)} is not extensible`;
    if (kDefines.test(called)) return notDefined(key);
    return at(26) && isNamespace(object) ? notAssigned(textOfKey(key), object) : notAdded(key);
  }],
  [/^could not delete property$/, (match, [object, key]) => `Cannot delete property '${textOfKey(key)}' of ${textOf(object)}`],
  // An array's length: QuickJS has set it to what it can be.
  [/^not configurable$/, (match, [object]) => (isArray(object) && native.proxyDetails(object) === undefined ?
    `Cannot delete property '${getOwnPropertyDescriptor(object, 'length').value - 1}' of ${textOf(object)}` : undefined)],
  [/^property is not configurable$/, (match, [object, key]) => (!at(18) && isNamespace(object) ? notAssigned(textOfKey(key), object) :
    `Cannot redefine property: ${textOfKey(key)}`)],
  [/^no setter for property$/, (match, [object, key]) =>
    `Cannot set property ${textOfKey(key)} of ${textOf(object)} which has only a getter`],
];

// What V8 up to 6 said of arrays, in its JavaScript.
function oldWords([object], called) {
  if (native.proxyDetails(object) !== undefined) return undefined;
  const length = getOwnPropertyDescriptor(object, 'length')?.value;
  if (!at(6) && called === 'Array.pop' && length > 0) return notDefined(`${length - 1}`);
  if (called === 'Array.fill') return 'Cannot modify frozen array elements';
  return /^Array\.(?:shift|splice)$/.test(called) && isSealed(object) ? 'Cannot add/remove sealed array elements' : undefined;
}

// `about`: [object, key], or undefined. `called`: the function of the language that has thrown it; '': the program's own code, at
// `place`. `given`: what that was given. Undefined: it is about no property.
function wordsOfSubject(said, about, called, place, given) {
  textOf ??= require('internal/words').textOf;
  if (said === 'revoked proxy') return revoked(about?.[1], called, place);
  const ofProxy = wordsOfProxy(said, about, given, called, textOf);
  if (ofProxy !== undefined) return ofProxy;
  const frozen = said === 'invalid descriptor flags' ? /^Function\.(freeze|seal)$/.exec(called) : null;
  if (frozen) return `Cannot ${frozen[1]} array buffer views with elements`;
  if (about === undefined) {
    const isFull = said === "'length' is read-only" && /^Array\.(?:push|unshift|pop|shift|splice)$/.test(called);
    return isFull ? notAssigned('length', []) : undefined;
  }
  for (const [pattern, words] of rows) {
    const match = pattern.exec(said);
    if (match) return (at(10) ? undefined : oldWords(about, called)) ?? words(match, about, called);
  }
  return undefined;
}

const kLoop = /\bfor\s*\([^()]*\bin\b[^()]*$/;
function revoked(trap, called, place) {
  const text = place?.text ?? '';
  if (trap === undefined) {
    trap = /\bnew\b/.test(text) && called === '' ? 'construct' : 'IsArray';
    if (called === 'Object.toString') trap = at(20) ? 'Object.prototype.toString' : at(8) ? 'IsArray' : 'get';
  } else if (/^Function\.is(?:Frozen|Sealed)$/.test(called)) {
    trap = 'isExtensible';
  } else if (called === 'Function.bind') {
    trap = 'getPrototypeOf';
  } else if (trap === 'getPrototypeOf' && called === '' && (!/\binstanceof\b/.test(text) || kLoop.test(text.slice(0, place.column - 1)))) {
    trap = 'ownKeys';  // of a loop
  }
  return `Cannot perform '${trap}' on a proxy that has been revoked`;
}

module.exports = { wordsOfSubject };
