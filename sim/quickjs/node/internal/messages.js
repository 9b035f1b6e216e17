// Messages of the errors that the language throws, as V8 words them (v8/src/common/message-template.h). QuickJS has
// other words; what it does not say, the program's text does.
'use strict';

const native = internalBinding;
const functionToString = Function.prototype.toString;
const { wordsOfNative } = require('internal/native_messages');
const { endOf } = require('internal/source');
const { kAssigns, kNothing, plain, typed } = require('internal/text_values');

// The expression that begins in `text` behind `before`, as far as V8 would print it: names, members and calls.
function calleeAt(before, rest) {
  const head = /((?:[\w$#]+|\([^()]*\)|\[[^[\]]*\])(?:\??\.[\w$#]+|\([^()]*\)|\[[^[\]]*\])*\??\.)$/.exec(before);
  const own = /^[\w$#]+(?:\??\.[\w$#]+)*/.exec(rest);
  if (!own || /^(?:try|if|for|while|return|throw|await|new|typeof|const|let|var|else|do)$/.test(own[0])) return undefined;
  return ((head ? head[1] : '') + own[0]).replace(/\([^()]*\)/g, '(...)').replace(/\?\./g, '.');
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

// Sources of regular expressions: an expression without operators, and the member that it is taken of.
const kHead = "(?:new\\s+)?(?:[\\w$]+|'[^']*'|\\[[^[\\]]*\\]|\\([^()]*\\)|\\(\\{[^]*\\}\\))";
const kMember = `(${kHead}(?:\\.[\\w$]+|\\([^()]*\\))*)(?:\\.([\\w$]+)|\\[([^[\\]]+)\\])`;

// The member that the place's line changes, by what stands behind it, and before the expression: { name, holder }: its name, and the value
// that it is one of. Undefined: there is none.
function memberAt(place, behind, before = '') {
  const from = Math.max(0, place.column - 1000);
  const all = [...place.text.slice(from, place.column + 1000).matchAll(new RegExp(`${before}${kMember}${behind}`, 'g'))];
  const found = all.find((one) => from + one.index + one[0].length >= place.column) ?? all[all.length - 1];
  if (!found) return undefined;
  const [, holder, dotted, key] = found;
  const name = dotted ?? plain(place.valueOf(key) ?? { text: key });
  return { name, holder: place.valueOf(holder) ?? { kind: 'object', text: 'Object' } };
}

// What the member `name` is one of that the line assigns to; undefined: it assigns to no member of that name.
function assignedMember(place, name) {
  const member = memberAt(place, kAssigns);
  return member?.name === name ? member.holder : undefined;
}

// What is spread at this column of a text, as one argument of several that V8 makes an array of: behind it are others, or before it one
// that is spread, too. `call`: the text from the callee to it. Undefined: it is the last one.
function spreadBetween(place, text, call, column, unknown) {
  const end = endOf(text, column);
  const isLast = text[end] !== ',' || /^,\s*\)/.test(text.slice(end));
  if (isLast && call.indexOf('...') === call.lastIndexOf('...')) return undefined;
  const given = text.slice(column, end).trim();
  const { major } = native.facts;
  const called = /^(new\s+)?([\w$]+(?:\.[\w$]+)*)\(.*\)$/.exec(given);
  const behind = 'is not iterable (cannot read property Symbol(Symbol.iterator))';
  if (called && major >= 16) return `${called[2]} ${behind}`;
  const name = major >= 12 ? called?.[2] : called?.[1] ? '(intermediate value)' : `${called?.[2]}(...)`;
  if (called) return `${name} is not a function or its return value is not iterable`;
  if (major >= 16 || (major >= 12 && given === '{}')) return `${typed(place.valueOf(given) ?? unknown)} ${behind}`;
  return `${given} is not iterable`;
}

// What takes values out of undefined or null by its iterator.
function nothingIterated(said, place, name, frame) {
  const { major } = native.facts;
  const nothing = said === 'undefined' ? 'undefined' : 'null';
  if (name !== '') return undefined;
  const { text } = place;
  if (major < 8 && !/\(\s*\.\.\.|,\s*\.\.\./.test(text)) return `Cannot read property 'Symbol(Symbol.iterator)' of ${nothing}`;
  const own = notIterable(place, frame);
  if (own !== undefined) return own;
  const looped = /\bof\s+([\w$.]+)/.exec(text) ?? /[[,]\s*\.\.\.\s*([\w$.]+)\s*[\],]/.exec(text) ?? /\byield\s*\*\s*([\w$.]+)/.exec(text);
  const spread = /([\w$.]+)\s*\((?:[^()]*,)?\s*\.\.\.\s*([\w$.]+)/.exec(text);
  if (spread && (!looped || spread.index > looped.index)) {
    const between = major >= 10 && spreadBetween(place, text, spread[0], spread.index + spread[0].length - spread[2].length, kNothing);
    if (between) return between;
    if (major >= 14) return `${spread[2]} is not iterable (cannot read property undefined)`;
    if (major >= 12) return `${spread[1]} is not iterable (cannot read property Symbol(Symbol.iterator))`;
    return major >= 10 ? `Cannot read property 'Symbol(Symbol.iterator)' of ${spread[1]}` : 'undefined is not iterable';
  }
  return looped ? `${looped[1]} is not iterable` : undefined;
}

// What is read of undefined or null by for-of and its kind; a symbol's description is all that QuickJS tells of it.
const iteratorRows = [
  [/^cannot read property 'Symbol\.iterator' of (null|undefined)$/, ([, of]) => (of === 'null' ?
    'object null is not iterable (cannot read property Symbol(Symbol.iterator))' :
    'undefined is not iterable (cannot read property Symbol(Symbol.iterator))')],
  [/^cannot read property '(Symbol\.\w+)' of (null|undefined)$/, ([, name, of]) => (native.facts.major >= 16 ?
    `Cannot read properties of ${of} (reading 'Symbol(${name})')` : `Cannot read property 'Symbol(${name})' of ${of}`)],
];

// A member of a proxy's handler.
function notATrap(trap, value) {
  const { major } = native.facts;
  if (trap === 'get' && major >= 10 && major < 12) return `${value.kind} is not a function`;
  const isPlain = (trap === 'get' || trap === 'has') && major >= 8 && major < 12;
  return `'${value.text}' returned for property '${trap}' of object '${isPlain ? '[object Object]' : '#<Object>'}' is not a function`;
}

const rows = [
  [/^cannot read property 'Symbol\.(?:asyncI|i)terator' of (null|undefined)$/, ([, of]) => (native.facts.major >= 8 ?
    `${of} is not iterable` : `Cannot read property 'Symbol(Symbol.iterator)' of ${of}`)],
  [/^(undefined|object null) is not iterable \(cannot read property/, ([, said], place, name, frame) =>
    nothingIterated(said, place, name, frame)],
  [/^cannot read property '(.*)' of (null|undefined)$/, ([, name, of]) => (native.facts.major >= 16 ?
    `Cannot read properties of ${of} (reading '${name}')` : `Cannot read property '${name}' of ${of}`)],
  [/^cannot set property '(.*)' of (null|undefined)$/, ([, name, of]) => (native.facts.major >= 16 ?
    `Cannot set properties of ${of} (setting '${name}')` : `Cannot set property '${name}' of ${of}`)],
  [/^not a function$/, (match, place, name, frame) => {
    if (name !== '') return undefined;
    const ofHandler = /^new\s+Proxy\(.*,\s*\{\s*(\w+)\s*:\s*([^,{}]+?)\s*\}\)/.exec(place.rest);
    if (ofHandler) return notATrap(ofHandler[1], place.valueOf(ofHandler[2]) ?? kNothing);
    const made = /^new\s+([\w$.]+)/.exec(place.rest);
    if (made) return `${made[1]} is not a constructor`;
    const inBrackets = /^new\s+\(([\w$.]+(?:\([^()]*\)(?:\.[\w$]+)*)*)\)/.exec(place.rest);
    const kind = native.facts.major >= 6 ? 'constructor' : 'function';
    if (inBrackets) return `${inBrackets[1].replace(/\([^()]*\)/g, '(...)')} is not a ${kind}`;
    const callee = place.callee() ?? calleeAt(place.text.slice(0, place.column - 1), place.rest);
    return callee && `${callee} is not a function`;
  }],
  [/^not a constructor$/, (match, { rest, text }, whole, frame) => {
    // The constructor of a class that extends null.
    if (frame.isConstructor && native.facts.major >= 8) {
      return `Super constructor null of ${frame.name || 'anonymous class'} is not a constructor`;
    }
    const name = /^new\s+([\w$.]+)/.exec(rest);
    if (name) return `${name[1]} is not a constructor`;
    return /^new\s+\(/.test(rest) || /\bnew\s+\(/.test(text) ? '(intermediate value) is not a constructor' : undefined;
  }],
  [/^parent class must be constructor$/, (match, place) => {
    const parent = /\bclass\b\s*[\w$]*\s*\bextends\s+([\w$.]+|\([^()]*\))/.exec(place.text);
    const value = parent && place.valueOf(parent[1]);
    return `Class extends value ${plain(value ?? kNothing)} is not a ${native.facts.major >= 8 ? 'constructor' : 'function'} or null`;
  }],
  // The place may be another one of the line: the line must have one candidate alone.
  [/^(?:value|new|[\w$]+) is not iterable$/, (match, place, name, frame) => {
    const own = notIterable(place, frame);
    if (own !== undefined) return own;
    const { text } = place;
    const spread = /([\w$]+)\s*\((?:[^()]*,)?\s*\.\.\.\s*$/.exec(text.slice(0, place.column - 1));
    if (spread) {
      frame.column = spread.index + 1;
      const between = native.facts.major >= 10 && spreadBetween(place, text, spread[0], place.column - 1, { kind: 'object' });
      if (between) return between;
      if (native.facts.major < 8) return '(var)[Symbol.iterator] is not a function';
      if (native.facts.major < 10) return 'undefined is not a function';
      if (native.facts.major < 20) return 'Found non-callable @@iterator';
      return 'Spread syntax requires ...iterable[Symbol.iterator] to be a function';
    }
    const called = [...text.matchAll(/(?:\bof|\.\.\.|yield\*)\s*(?:new\s+)?([\w$]+(?:\.[\w$]+)*)\(/g)];
    if (called.length === 1) return `${called[0][1]} is not a function or its return value is not iterable`;
    const found = [...text.matchAll(/(?:\bof|\.\.\.|\]\s*=(?!=))\s*([\w$]+(?:\.[\w$]+)*|\{\})/g)];
    if (found.length !== 1) return undefined;
    if (native.facts.major >= 8) return `${found[0][1]} is not iterable`;
    return `${found[0][1] === '{}' ? '(intermediate value)' : found[0][1]}[Symbol.iterator] is not a function`;
  }],
  [/^'(.*)' is read-only$/, ([, name], place) => {
    const holder = assignedMember(place, name);
    const words = `Cannot assign to read only property '${name}' of`;
    if (holder === undefined && /^(?:undefined|NaN|Infinity)$/.test(name)) return `${words} object '#<Object>'`;
    // An element that would make an array longer: QuickJS sets it without its name.
    if (holder === undefined && name === 'length' && !/\blength\s*(?:[-+*/%&|^]|\*\*)?=/.test(place.text)) {
      return `${words} ${native.facts.major >= 6 ? "object '[object Array]'" : '[object Array]'}`;
    }
    if (holder === undefined) return 'Assignment to constant variable.';
    return `${words} ${holder.kind === 'string' ? `string '${holder.text}'` : `object '${plain(holder)}'`}`;
  }],
  [/^object is not extensible$/, (match, place) => {
    const member = memberAt(place, kAssigns);
    return member && `${native.facts.major >= 8 ? 'Cannot' : "Can't"} add property ${member.name}, object is not extensible`;
  }],
  [/^could not delete property$/, (match, place) => {
    const member = memberAt(place, '', 'delete\\s+');
    return member && `Cannot delete property '${member.name}' of ${plain(member.holder)}`;
  }],
  [/^no setter for property$/, (match, place) => {
    const member = memberAt(place, kAssigns);
    return member && `Cannot set property ${member.name} of ${plain(member.holder)} which has only a getter`;
  }],
  [/^must be called with new$/, (match, { rest }) => (/^Proxy\b/.test(rest) ? "Constructor Proxy requires 'new'" : undefined)],
  [/^value is not disposable$|^dispose method is not a function$/, ([said], { text }) => (
    said.startsWith('dispose') && /\bawait\s+using\b.*\bSymbol\.asyncDispose\b/.test(text) ?
      'Symbol(Symbol.asyncDispose) is not a function' : 'Symbol(Symbol.dispose) is not a function')],
  // A member of what is no object.
  [/^not an object$/, (match, place, name) => {
    if (name === '' && /\busing\s+[\w$]+\s*=/.test(place.text)) return 'An object is expected with `using` declarations';
    if (/^new\s+Proxy\b/.test(place.rest)) return 'Cannot create proxy with a non-object as target or handler';
    const member = name === '' ? memberAt(place, kAssigns) : undefined;
    if (member === undefined) return undefined;
    const { kind, text } = member.holder;
    const isOld = native.facts.major < 6 && /^(?:string|number|boolean)$/.test(kind);
    if (isOld) return `Cannot assign to read only property '${member.name}' of ${text}`;
    if (kind === 'string' && /^(?:length|\d+)$/.test(member.name)) {
      return `Cannot assign to read only property '${member.name}' of string '${text}'`;
    }
    return /^(?:string|number|boolean|symbol)$/.test(kind) ? `Cannot create property '${member.name}' on ${kind} '${text}'` : undefined;
  }],
  [/^invalid 'in' operand$/, (match, place) => {
    const words = /('[^']*'|"[^"]*"|[\w$.]+)\s+in\s+('[^']*'|"[^"]*"|[\w$.]+)/.exec(place.text);
    if (!words) return undefined;
    const [key, of] = [words[1], words[2]].map((text) => plain(place.valueOf(text) ?? kNothing));
    return `Cannot use 'in' operator to search for '${key}' in ${of}`;
  }],
  [/^invalid 'instanceof' right operand$/, (match, place) => {
    const words = /\binstanceof\s+('[^']*'|"[^"]*"|[\w$.]+)/.exec(place.text);
    const kind = words && place.valueOf(words[1])?.kind;
    return /^(?:undefined|null|number|string|boolean)$/.test(kind ?? '') ? "Right-hand side of 'instanceof' is not an object" :
      "Right-hand side of 'instanceof' is not callable";
  }],
  [/^operand 'prototype' property is not an object$/, () => "Function has non-object prototype 'undefined' in instanceof check"],
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
  [/^bigint argument with unary \+$/, () => 'Cannot convert a BigInt value to a number'],
  [/^cannot convert to bigint$/, (match, place) => {
    const assigned = /=\s*([\w$.'"-]+)/.exec(place.text.slice(place.column - 1));
    return `Cannot convert ${plain((assigned && place.valueOf(assigned[1])) ?? kNothing)} to a BigInt`;
  }],
  [/^BigInt operands are forbidden for >>>$/, () => 'BigInts have no unsigned right shift, use >> instead'],
  [/^BigInt division by zero$/, () => 'Division by zero'],
  [/^BigInt negative exponent$/, () => {
    const { major } = native.facts;
    return `${major >= 20 && major < 26 ? 'undefined' : 'Exponent'} must be positive`;
  }],
  [/^expecting hex digit$/, () => 'URI malformed'],
  [/^Date value is NaN$/, () => 'Invalid time value'],
  [/^not an object$/, (match, place, name) => (/^Reflect\./.test(name) ? `${name} called on non-object` : undefined)],
  [/^class constructors must be invoked with 'new'$/, (match, { text, column }, whole, frame) => {
    const isClass = typeof frame.fn === 'function' && Reflect.apply(functionToString, frame.fn, []).startsWith('class');
    const name = isClass ? frame.name : calleeAt('', text.slice(column - 1));
    return name && `Class constructor ${name} cannot be invoked without 'new'`;
  }],
];

// What needs no place: also where no frame of the program is on the stack.
const anywhere = new Map([
  ['promise self resolution', 'Chaining cycle detected for promise #<Promise>'],
  ['iterator does not have a throw method', "The iterator does not provide a 'throw' method."],
  ['throw is not a method', "The iterator does not provide a 'throw' method."],
  ['cannot invoke a running generator', 'Generator is already running'],
  ['derived class constructor must return an object or undefined', 'Derived constructors may only return object or undefined'],
  ["'this' can be initialized only once", 'Super constructor may only be called once'],
  ['invalid string length', 'Invalid string length'],
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
  const ofNative = frames[0].isNative && first.place ? wordsOfNative(error, descriptor.value, frames, first.place) : undefined;
  if (ofNative !== undefined) {
    Object.defineProperty(error, 'message', { ...descriptor, value: ofNative });
    return;
  }
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
