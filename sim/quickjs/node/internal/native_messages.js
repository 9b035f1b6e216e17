// Messages of errors that functions of ECMAScript throw, as V8 words them (v8/src/common/message-template.h), by what QuickJS says and the
// function's name. What they quote of their arguments the program's text tells.
'use strict';

const native = internalBinding;
const { kNothing, plain, typed } = require('internal/text_values');

const at = (major) => native.facts.major >= major;

// What a call is about. `frames`: the function's own is the first.
class Call {
  #place;
  #parts;
  constructor(match, frames, place) {
    this.match = match;
    this.name = frames[0].whole ?? '';
    this.#place = place;
    // Through Function.prototype.call: the receiver is in front.
    this.isBorrowed = /^Function\.(?:call|apply)$/.test(frames[1]?.whole ?? '');
  }
  // The member's name: `map` of Array.prototype.map.
  get member() { return /[^.]*$/.exec(this.name)[0]; }
  // The class: `Array` of Array.prototype.map, of `new Array`.
  get owner() { return /^(?:new )?([^.]*)/.exec(this.name)[1]; }
  get parts() { return this.#parts ??= this.#place.args(); }
  value(part) { return (part && this.#place.valueOf(part)) ?? kNothing; }
  argument(i) { return this.value(this.parts[i + (this.isBorrowed ? 1 : 0)]); }
  get receiver() { return this.isBorrowed ? this.value(this.parts[0]) : kNothing; }
  get callee() { return this.#place.callee() ?? ''; }
  // What stands before the member: `list` of list.push().
  get holder() { return this.value(this.callee.replace(/\.[\w$]+$/, '')); }
  get method() { return `${this.owner}.prototype.${this.member}`; }
}

function iterableWords(value) {
  const isNothing = value.kind === 'undefined' || value.kind === 'null';
  if (at(12)) return `${typed(value)} is not iterable (cannot read property Symbol(Symbol.iterator))`;
  if (isNothing) return `Cannot read property 'Symbol(Symbol.iterator)' of ${value.kind === 'null' && at(10) ? 'object' : value.text}`;
  if (at(10)) return `${plain(value)} is not iterable`;
  return at(8) ? 'undefined is not a function' : '(var)[Symbol.iterator] is not a function';
}

function notAnEntry(call) {
  const list = call.argument(0);
  const wrong = list.kind === 'array' ? list.elements().find((one) => one && !/^(?:object|array|function)$/.test(one.kind)) : undefined;
  return `Iterator value ${plain(wrong ?? kNothing)} is not an entry object`;
}

const expressionWords = [
  [/^expecting '\)'$/, 'Unterminated group'],
  [/^nothing to repeat$/, 'Nothing to repeat'],
  [/^extraneous characters at the end$/, "Unmatched ')'"],
  [/^unexpected end$/, 'Unterminated character class'],
  [/^invalid group$/, 'Invalid group'],
  [/^invalid class range$/, 'Range out of order in character class'],
  [/^out of order|^invalid repetition count$/, 'numbers out of order in {} quantifier'],
];

// V8's words for what QuickJS `said` of an expression; undefined: it has none.
function wordsOfExpression(said, source, flags) {
  const words = source.endsWith('\\') ? '\\ at end of pattern' : expressionWords.find(([pattern]) => pattern.test(said))?.[1];
  return words === undefined ? undefined : `Invalid regular expression: /${source}/${flags}: ${words}`;
}

function expressionError(call) {
  const [said] = call.match;
  const source = plain(call.argument(0));
  if (said === 'invalid regular expression flags') return `Invalid flags supplied to RegExp constructor '${plain(call.argument(1))}'`;
  const flags = call.owner === 'RegExp' && call.argument(1).kind === 'string' && at(20) ? call.argument(1).text : '';
  return wordsOfExpression(said, source, flags);
}

const receiverWords = (value) => (value.kind === 'array' ? '[object Array]' : plain(value));

// Which value of the call is no BigInt.
function notBig(call) {
  if (/Array$/.test(call.owner)) {
    const list = call.argument(0);
    const wrong = list.kind === 'array' ? list.elements().find((one) => one?.kind !== 'bigint') : undefined;
    return wrong ?? kNothing;
  }
  return call.argument(/^Function\.as/.test(call.name) ? 1 : 0);
}
const bigWords = (value) => (value.kind === 'object' ? '[object Object]' : plain(value));

const typeWords = ({ kind }) => ({ undefined: 'undefined', null: 'object', array: 'an object', object: 'an object' })[kind] ?? `a ${kind}`;
const kEntries = /^new (?:Weak)?Map$|^Function\.fromEntries$/;
const kTakesList = /^new (?:Weak)?(?:Map|Set)$|^Function\.(?:all|race|any|allSettled|fromEntries)$/;
const kOfStacks = /^(?:Async)?DisposableStack\./;
const kOfExpressions = /^new RegExp$|^RegExp\.compile$|^String\.(?:match|matchAll|search)$/;
const noObjectOrNull = (value) => `Object prototype may only be an Object or null: ${plain(value)}`;
const withArgument = (words, i) => (call) => `${words}: ${plain(call.argument(i))}`;

// [what QuickJS says, the function's name, V8's words]: text, or of the call.
const rows = [
  [/^bigint argument with unary \+$|^cannot convert (?:BigInt|bigint) to number$|^[Cc]annot mix /, /./,
    'Cannot convert a BigInt value to a number'],
  [/^cannot convert to (?:bigint|BigInt)$|^invalid BigInt literal$/, /./, (call) => `Cannot convert ${bigWords(notBig(call))} to a BigInt`],
  [/^cannot convert to BigInt: not an integer$/, /./, (call) =>
    `The number ${plain(call.argument(0))} cannot be converted to a BigInt because it is not an integer`],
  [/^value is not iterable$|^object null is not iterable|is not iterable \(cannot read property/, kTakesList, (call) => iterableWords(
    call.match[0].startsWith('object null') ? { kind: 'null', text: 'null' } : call.argument(0))],
  [/^not an object$/, kEntries, notAnEntry],
  [/^object null is not iterable/, /^Function\.from$/, () => (at(14) ? undefined : 'Cannot convert undefined or null to object')],
  [/^invalid value used as WeakSet key$/, /./, 'Invalid value used in weak set'],
  [/^invalid value used as WeakMap key$/, /./, 'Invalid value used as weak map key'],
  [/^[Cc]onstructor requires 'new'$/, /./, ({ owner }) => `Constructor ${owner} requires 'new'`],
  [/^DisposableStack has been disposed$/, kOfStacks, ({ method }) => `Cannot call ${method} on an already-disposed DisposableStack`],
  [/^not an object$/, kOfStacks, 'An object is expected with `using` declarations'],
  [/^property is not a function$/, kOfStacks, 'Symbol(Symbol.dispose) is not a function'],
  [/^not a function$/, kOfStacks, (call) => `${plain(call.argument(call.member === 'adopt' ? 1 : 0))} is not a function`],
  [/^(?:Async)?DisposableStack object expected$/, kOfStacks, (call) =>
    `Method ${call.method} called on incompatible receiver ${plain(call.receiver)}`],
  [/^not a function$/, /^new FinalizationRegistry$/, 'FinalizationRegistry: cleanup must be callable'],
  [/^invalid target$/, /^FinalizationRegistry\./, () =>
    `FinalizationRegistry.prototype.register: ${at(18) ? 'invalid target' : 'target must be an object'}`],
  [/^held value cannot be the target$/, /./, 'FinalizationRegistry.prototype.register: target and holdings must not be same'],
  [/^invalid unregister token$/, /./, (call) => {
    const token = plain(call.argument(call.member === 'register' ? 2 : 0));
    return at(18) ? `Invalid unregisterToken ('${token}')` : `unregisterToken ('${token}') must be an object`;
  }],
  [/^must be called with new$/, /./, ({ owner }) => {
    if (owner !== 'Promise') return `Constructor ${owner} requires 'new'`;
    return at(18) ? "Promise constructor cannot be invoked without 'new'" : 'undefined is not a promise';
  }],
  [/^not an object$/, /^Function\.revocable$/, 'Cannot create proxy with a non-object as target or handler'],
  [/^not an object$/, /^Function\.define(?:Property|Properties)$/, ({ name }) => `Object.${name.slice(9)} called on non-object`],
  [/^not an object$/, /^Function\.setPrototypeOf$/, (call) => noObjectOrNull(call.argument(1))],
  [/^not an object$/, /^Function\.getPrototypeOf$/, 'Cannot convert undefined or null to object'],
  [/^not an object$/, /^Function\.resolve$|^Function\.reject$/, () => (at(8) ? 'PromiseResolve called on non-object' : undefined)],
  [/^not an object$/, /^Reflect\./, ({ name }) => `${name} called on non-object`],
  [/^object prototype may only be an Object or null$/, /./, (call) => noObjectOrNull(call.argument(0))],
  [/^Property description must be an object$/, /Function\.defineProperty$/, withArgument('Property description must be an object', 2)],
  [/^([GS]et)ter must be a function$/, /./, (call) => {
    const [said, accessor] = call.match;
    const wrong = new RegExp(`\\b${accessor.toLowerCase()}\\s*:\\s*([^,}]+)`).exec(call.parts[2]?.text ?? '');
    return wrong ? `${said}: ${plain(call.value({ text: wrong[1].trim(), at: call.parts[2].at }))}` : undefined;
  }],
  [/^Invalid property descriptor\. Cannot both specify accessors and a value or writable attribute$/, /./, ({ match }) =>
    `${match[0]}, #<Object>`],
  [/^object is not extensible$/, /^Function\.defineProperty$|^Reflect\.defineProperty$/, (call) => (at(8) ?
    `Cannot define property ${plain(call.argument(1))}, object is not extensible` :
    `Cannot define property:${plain(call.argument(1))}, object is not extensible.`)],
  [/^object is not extensible$/, /^Function\.setPrototypeOf$/, (call) => {
    const value = call.argument(0);
    return `${plain(value === kNothing ? { kind: 'object', text: 'Object' } : value)} is not extensible`;
  }],
  [/^object is not extensible$/, /^Array\.(?:push|unshift|splice)$/, (call) => {
    const list = call.holder;
    return `${at(8) ? 'Cannot' : "Can't"} add property ${list.kind === 'array' ? list.elements().length : 0}, object is not extensible`;
  }],
  [/^circular prototype chain$/, /./, 'Cyclic __proto__ value'],
  [/^not a object$|^not a constructor$/, /^Reflect\.construct$/, (call) => `${plain(call.argument(0))} is not a constructor`],
  [/^not a function$/, /^Reflect\.apply$/, (call) => `Function.prototype.apply was called on ${plain(call.argument(0))}, which is ${
    typeWords(call.argument(0))} and not a function`],
  [/^not a object$/, /^Function\.apply$|^Reflect\.apply$/, 'CreateListFromArrayLike called on non-object'],
  [/^not a function$/, /^Function\.bind$/, 'Bind must be called on a function'],
  [/^not a function$/, /^Array\.(?:sort|toSorted)$/, (call) => (at(10) ?
    `The comparison function must be either a function or undefined${at(22) ? `: ${plain(call.argument(0))}` : ''}` : undefined)],
  [/^not a function$/, /^new Promise$/, (call) => `Promise resolver ${plain(call.argument(0))} is not a function`],
  [/^not a function$/, /^Function\.call$/, (call) => (at(26) ?
    `Function.prototype.call was called on ${plain(call.receiver)}, which is ${typeWords(call.receiver)} and not a function` :
    `${call.callee} is not a function`)],
  [/^not a function$/, /./, (call) => {
    const value = call.argument(call.name === 'Function.from' ? 1 : 0);
    return `${at(22) ? typed(value) : plain(value)} is not a function`;
  }],
  [/^(?:Promise|promise) object expected$/, /^Promise\.then$/, (call) => (at(8) ?
    `Method Promise.prototype.then called on incompatible receiver ${plain(call.receiver)}` : `${plain(call.receiver)} is not a promise`)],
  [/^[\w ]+ object expected$/, /^(?:Map|Set|WeakMap|WeakSet|RegExp|WeakRef|FinalizationRegistry)\./, (call) =>
    `Method ${call.method} called on incompatible receiver ${plain(call.receiver)}`],
  [/^not a generator$/, /./, (call) =>
    `Method [Generator].prototype.${call.member} called on incompatible receiver ${plain(call.receiver)}`],
  [/^not a Date object$/, /./, 'this is not a Date object.'],
  [/^not a (?:number|boolean|symbol)$/, /^(?:Number|Boolean|Symbol)\./, (call) => {
    if (at(8)) return `${call.method} requires that 'this' be a ${call.owner}`;
    if (call.owner === 'Boolean') return `${call.method} is not generic`;
    return `Method ${call.method} called on incompatible receiver ${plain(call.receiver)}`;
  }],
  [/^not a symbol$/, /^Function\.keyFor$/, (call) => `${plain(call.argument(0))} is not a symbol`],
  [/^null or undefined are forbidden$/, /^String\./, (call) => (call.member === 'localeCompare' && !at(11) ?
    'Method invoked on undefined or null value.' : `${call.method} called on null or undefined`)],
  [/^Cannot convert undefined or null to object$/, /^Array\.(?!at$)/, (call) => `${call.method} called on null or undefined`],
  [/^invalid repeat count$/, /./, (call) => `Invalid count value${at(20) ? `: ${plain(call.argument(0))}` : ''}`],
  [/^bad normalization form$/, /./, 'The normalization form should be one of NFC, NFD, NFKC, NFKD.'],
  [/^regexp must have the 'g' flag$/, /^String\./, (call) => `${call.method} called with a non-global RegExp argument`],
  [/^.*$/s, kOfExpressions, expressionError, SyntaxError],
  [/^invalid array index$/, /^new (?:Shared)?ArrayBuffer$/, (call) =>
    (at(12) || call.argument(0).text.startsWith('-') ? 'Invalid array buffer length' : 'Array buffer allocation failed')],
  [/^invalid array (?:index|length)$|^invalid length$/, /^new (?:\w+Array)$/, (call) => {
    const value = call.argument(0);
    if (call.owner === 'Array') return 'Invalid array length';
    if (call.match[0] === 'invalid length') {
      return `byte length of ${call.owner} should be a multiple of ${globalThis[call.owner]?.BYTES_PER_ELEMENT}`;
    }
    if (value.kind !== 'number') return undefined;
    return `Invalid typed array length${at(8) ? `: ${value.text}` : ''}`;
  }],
  [/^ArrayBuffer object expected$/, /^new DataView$/, 'First argument to DataView constructor must be an ArrayBuffer'],
  [/^cannot be called$/, /./, 'Abstract class TypedArray not directly constructable'],
  [/^not a TypedArray$/, /^get /, (call) => {
    const owner = call.name === 'get buffer' && at(8) ? '%TypedArray%' : 'TypedArray';
    return `Method get ${owner}.prototype.${call.name.slice(4)} called on incompatible receiver ${
      call.isBorrowed ? receiverWords(call.receiver) : '[object Object]'}`;
  }],
  [/^not a TypedArray$/, /^subarray$/, (call) => {
    const owner = `${at(10) ? '' : 'get '}${at(8) ? '%TypedArray%' : 'TypedArray'}`;
    const receiver = at(12) && !at(22) ? 'undefined' : receiverWords(call.receiver);
    return `Method ${owner}.prototype.subarray called on incompatible receiver ${receiver}`;
  }],
  [/^not a TypedArray$/, /^(?:slice|join|sort)$/, (call) => (at(call.name === 'join' ? 12 : 10) ?
    `Method %TypedArray%.prototype.${call.name} called on incompatible receiver ${receiverWords(call.receiver)}` :
    'this is not a typed array.')],
  [/^not a TypedArray$/, /./, 'this is not a typed array.'],
  [/^out of bound$/, /^DataView\./, 'Offset is outside the bounds of the DataView'],
  [/^invalid number of digits$/, /./, ({ member }) => {
    if (member === 'toPrecision') return `toPrecision() argument must be between 1 and ${at(8) ? 100 : 21}`;
    return `${member || 'toFixed'}() ${member === 'toExponential' ? '' : 'digits '}argument must be between 0 and ${at(8) ? 100 : 20}`;
  }],
];

// `frames`: the first is the function's, `place`: where the program calls it. Undefined: these words are not known.
function wordsOfNative(error, message, frames, place) {
  const name = frames[0].whole ?? '';
  for (const [said, of, words, kind] of rows) {
    const match = said.exec(message);
    if (!match || !of.test(name) || (kind !== undefined && !(error instanceof kind))) continue;
    if (typeof words === 'string') return words;
    return words(new Call(match, frames, place));
  }
  return undefined;
}

module.exports = { wordsOfExpression, wordsOfNative };
