// Messages of the errors that the language throws, as V8 words them (v8/src/common/message-template.h). QuickJS has
// other words; what it does not say, the program's text does.
'use strict';

const native = internalBinding;

// The expression that begins in `text` behind `before`, as far as V8 would print it: names, members and calls.
function calleeAt(before, rest) {
  const head = /((?:[\w$#]+|\([^()]*\)|\[[^[\]]*\])(?:\??\.[\w$#]+|\([^()]*\)|\[[^[\]]*\])*\??\.)$/.exec(before);
  const own = /^[\w$#]+(?:\??\.[\w$#]+)*/.exec(rest);
  if (!own || /^(?:try|if|for|while|return|throw|await|new|typeof|const|let|var|else|do)$/.test(own[0])) return undefined;
  return ((head ? head[1] : '') + own[0]).replace(/\([^()]*\)/g, '(...)').replace(/\?\./g, '.');
}

// What a function of the language was given that is no function: its first argument, where the text says its value. (What stands in a
// variable nobody tells; it is mostly nothing.)
function argumentOf({ rest }, isPlain) {
  const literal = /^(?:new\s+)?[\w$#]+\s*\(\s*(?:(-?\d[\d.]*)|(null)|(true|false)|'([^'\\]*)'|"([^"\\]*)")\s*[,)]/.exec(rest);
  if (!literal) return 'undefined';
  const [, number, nothing, truth, single, double] = literal;
  const text = number ?? nothing ?? truth ?? single ?? double;
  if (isPlain || native.facts.major < 22) return text;
  if (number) return `number ${text}`;
  return nothing || truth ? `${nothing ? 'object' : 'boolean'} ${text}` : `string "${text}"`;
}

// Values are taken out of nothing by a pattern of braces.
function destructured(place, frame) {
  const pattern = place.pattern();
  if (!pattern || pattern.opens !== '{') return undefined;
  const { major } = native.facts;
  const { key, taken, target } = pattern;
  frame.line = target.line;
  frame.column = target.column;
  const nothing = taken === 'null' ? 'null' : 'undefined';
  if (taken === undefined && !pattern.isParameter) {
    if (key === undefined) return undefined;
    return major >= 16 ? `Cannot read properties of ${nothing} (reading '${key}')` : `Cannot read property '${key}' of ${nothing}`;
  }
  if (major < 8) return "Cannot match against 'undefined' or 'null'.";
  if (major < 12) return `Cannot destructure ${key === undefined ? '' : `property \`${key}\` of `}'undefined' or 'null'.`;
  return `Cannot destructure ${key === undefined ? '' : `property '${key}' of `}'${taken ?? 'undefined'}' as it is ${nothing}.`;
}

// The initialiser of a pattern of brackets.
function notIterable(place, frame) {
  const pattern = place.pattern();
  if (!pattern || pattern.opens !== '[' || pattern.taken === undefined) return undefined;
  frame.line = pattern.from.line;
  frame.column = pattern.from.column;
  if (native.facts.major < 8) return 'undefined is not a function';
  const called = /^([\w$]+(?:\.[\w$]+)*)\(/.exec(pattern.taken);
  return called ? `${called[1]} is not a function or its return value is not iterable` : `${pattern.taken} is not iterable`;
}

// What is read of undefined or null by for-of and its kind; a symbol's description is all that QuickJS tells of it.
const iteratorRows = [
  [/^cannot read property 'Symbol\.iterator' of (null|undefined)$/, ([, of]) => (of === 'null' ?
    'object null is not iterable (cannot read property Symbol(Symbol.iterator))' :
    'undefined is not iterable (cannot read property Symbol(Symbol.iterator))')],
  [/^cannot read property '(Symbol\.\w+)' of (null|undefined)$/, ([, name, of]) => (native.facts.major >= 16 ?
    `Cannot read properties of ${of} (reading 'Symbol(${name})')` : `Cannot read property 'Symbol(${name})' of ${of}`)],
];

const rows = [
  [/^cannot read property 'Symbol\.(?:asyncI|i)terator' of (null|undefined)$/, ([, of]) => (native.facts.major >= 8 ?
    `${of} is not iterable` : `Cannot read property 'Symbol(Symbol.iterator)' of ${of}`)],
  [/^cannot read property '(.*)' of (null|undefined)$/, ([, name, of]) => (native.facts.major >= 16 ?
    `Cannot read properties of ${of} (reading '${name}')` : `Cannot read property '${name}' of ${of}`)],
  [/^cannot set property '(.*)' of (null|undefined)$/, ([, name, of]) => (native.facts.major >= 16 ?
    `Cannot set properties of ${of} (setting '${name}')` : `Cannot set property '${name}' of ${of}`)],
  [/^not a function$/, (match, place, name) => {
    if (name === 'new Promise') return `Promise resolver ${argumentOf(place, true)} is not a function`;
    if (name !== '') return `${argumentOf(place, false)} is not a function`;
    const made = /^new\s+([\w$.]+)/.exec(place.rest);
    if (made) return `${made[1]} is not a constructor`;
    const callee = place.callee() ?? calleeAt(place.text.slice(0, place.column - 1), place.rest);
    return callee && `${callee} is not a function`;
  }],
  [/^not a constructor$/, (match, { rest }) => {
    const name = /^new\s+([\w$.]+)/.exec(rest);
    return name && `${name[1]} is not a constructor`;
  }],
  // The place may be another one of the line: the line must have one candidate alone.
  [/^(?:value|new|[\w$]+) is not iterable$/, (match, place, name, frame) => {
    const own = notIterable(place, frame);
    if (own !== undefined) return own;
    const { text } = place;
    const spread = /([\w$]+)\s*\((?:[^()]*,)?\s*\.\.\.\s*$/.exec(text.slice(0, place.column - 1));
    if (spread && native.facts.major >= 8) {
      frame.column = spread.index + 1;
      if (native.facts.major < 20) return 'Found non-callable @@iterator';
      return 'Spread syntax requires ...iterable[Symbol.iterator] to be a function';
    }
    const called = [...text.matchAll(/(?:\bof|\.\.\.|yield\*)\s*(?:new\s+)?([\w$]+(?:\.[\w$]+)*)\(/g)];
    if (called.length === 1) return `${called[0][1]} is not a function or its return value is not iterable`;
    const found = [...text.matchAll(/(?:\bof|\.\.\.|\]\s*=(?!=))\s*([\w$]+(?:\.[\w$]+)*)/g)];
    return found.length === 1 ? `${found[0][1]} is not iterable` : undefined;
  }],
  [/^'(.*)' is read-only$/, ([, name], { text }) => {
    const ofMember = new RegExp(`[.\\]]\\s*${name.replace(/[^\w]/g, '.')}\\s*(?:[-+*/%&|^]|\\*\\*|<<|>>)?=`);
    return ofMember.test(text) ? `Cannot assign to read only property '${name}' of object '#<Object>'` :
      'Assignment to constant variable.';
  }],
  [/^(\w+) is not initialized$/, ([, name]) => (name === 'this' ?
    "Must call super constructor in derived class before accessing 'this' or returning from derived constructor" :
    native.facts.major >= 12 ? `Cannot access '${name}' before initialization` : `${name} is not defined`)],
  [/^Cannot convert undefined or null to object$/, (match, place, name, frame) =>
    (name === '' ? destructured(place, frame) : undefined)],
  [/^property is not configurable$/, (match, { text }) => {
    const name = /defineProperty\([^,]+,\s*['"]([^'"]*)['"]/.exec(text);
    return name && `Cannot redefine property: ${name[1]}`;
  }],
  [/^empty array$/, () => 'Reduce of empty array with no initial value'],
  [/^invalid array length$/, () => 'Invalid array length'],
  [/^cannot convert symbol to (string|number)$/, ([, type]) => `Cannot convert a Symbol value to a ${type}`],
  [/^cannot convert (?:BigInt|bigint) to number$|^cannot mix /, () => 'Cannot mix BigInt and other types, use explicit conversions'],
  [/^invalid number of digits$/, (match, place, name) => (/toPrecision$/.test(name) ?
    'toPrecision() argument must be between 1 and 100' :
    `${/\w*$/.exec(name)[0] || 'toFixed'}() digits argument must be between 0 and 100`)],
  [/^expecting hex digit$/, () => 'URI malformed'],
  [/^Date value is NaN$/, () => 'Invalid time value'],
  [/^not an object$/, (match, place, name) => (/^Reflect\./.test(name) ? `${name} called on non-object` : undefined)],
  [/^class constructors must be invoked with 'new'$/, (match, { text, column }) => {
    const name = calleeAt('', text.slice(column - 1));
    return name && `Class constructor ${name} cannot be invoked without 'new'`;
  }],
  [/^invalid 'instanceof' right operand$/, () => "Right-hand side of 'instanceof' is not callable"],
];

// What needs no place: also where no frame of the program is on the stack.
const anywhere = new Map([
  ['promise self resolution', 'Chaining cycle detected for promise #<Promise>'],
  ['iterator does not have a throw method', "The iterator does not provide a 'throw' method."],
  ['throw is not a method', "The iterator does not provide a 'throw' method."],
  ['cannot invoke a running generator', 'Generator is already running'],
  ['derived class constructor must return an object or undefined', 'Derived constructors may only return object or undefined'],
  ["'this' can be initialized only once", 'Super constructor may only be called once'],
  ['toPrimitive', 'Cannot convert object to primitive value'],
]);
// What needs no place.
const plainRows = [
  ...iteratorRows,
  [/^cannot convert symbol to (string|number)$/, ([, type]) => `Cannot convert a Symbol value to a ${type}`],
  [/^private class field '(.*)' does not exist$/, ([, name]) =>
    `Cannot read private member ${name} from an object whose class did not declare it`],
  [/^private method '(.*)' does not exist|^invalid brand on object$/, () => 'Receiver must be an instance of class #<anonymous>'],
];

function translatePlain(error) {
  const descriptor = Object.getOwnPropertyDescriptor(error, 'message');
  if (!descriptor || typeof descriptor.value !== 'string') return;
  for (const [pattern, words] of plainRows) {
    const match = pattern.exec(descriptor.value);
    if (!match) continue;
    Object.defineProperty(error, 'message', { ...descriptor, value: words(match) });
    return;
  }
}

// `frames`: where it was thrown (internal/stack.js). An error that the program made keeps its message.
function translate(error, frames) {
  const descriptor = Object.getOwnPropertyDescriptor(error, 'message');
  if (!descriptor || typeof descriptor.value !== 'string') return;
  const known = anywhere.get(descriptor.value);
  if (known !== undefined) Object.defineProperty(error, 'message', { ...descriptor, value: known });
  const first = frames.find((frame) => !frame.isNative);
  if (!first) return;
  for (const [pattern, words] of rows) {
    const match = pattern.exec(descriptor.value);
    if (!match) continue;
    const { place } = first;
    if (!place) return;
    // The program's own error, with these words.
    if (/^(?:new\s+)?[\w$.]*(?:Error|super)\s*\(/.test(place.rest) && place.rest.includes(descriptor.value.slice(0, 6))) return;
    const message = words(match, place, frames[0].whole ?? '', first);
    const name = /\((?:reading|setting) '([\w$]+)'\)$|property '([\w$]+)' of/.exec(message ?? '');
    const member = name && new RegExp(`\\.\\s*(?=${(name[1] ?? name[2]).replaceAll('$', '\\$')}\\b)`).exec(place.rest);
    if (member) first.column += member.index + member[0].length;  // V8's place is the member's
    if (message) Object.defineProperty(error, 'message', { ...descriptor, value: message });
    return;
  }
}

module.exports = { translate, translatePlain };
