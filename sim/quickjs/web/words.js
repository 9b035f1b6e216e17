// What a browser says of wrong arguments and wrong receivers (WebIDL's TypeErrors), in Chrome's words or in Firefox's.
'use strict';

const native = internalBinding;

const isFirefox = () => native.facts.name === 'firefox';

// "Failed to execute 'now' on 'Performance': ...", "Performance.now: ...". Without `member`: of the constructor.
function prefixed(Interface, member, chrome, firefox = chrome) {
  if (isFirefox()) return member === undefined ? `${Interface} constructor: ${firefox}` : `${Interface}.${member}: ${firefox}`;
  return member === undefined ? `Failed to construct '${Interface}': ${chrome}` :
    `Failed to execute '${member}' on '${Interface}': ${chrome}`;
}

function typeError(Interface, member, chrome, firefox) {
  return new TypeError(prefixed(Interface, member, chrome, firefox));
}

function domError(name, Interface, member, chrome, firefox) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(prefixed(Interface, member, chrome, firefox), name);
}

// The same, where Firefox tells only the kind of error and not where.
function plainError(name, Interface, member, chrome, firefox) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(isFirefox() ? firefox : prefixed(Interface, member, chrome), name);
}

function needArgs(Interface, member, args, count) {
  if (args.length >= count) return;
  const noun = count === 1 ? 'argument' : 'arguments';
  throw typeError(Interface, member, `${count} ${noun} required, but only ${args.length} present.`,
                  `At least ${count} ${noun} required, but only ${args.length} passed`);
}

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function wrongType(Interface, member, index, type, value) {
  return typeError(Interface, member, `parameter ${index} is not of type '${type}'.`,
                   isObject(value) && type !== 'Function' ? `Argument ${index} does not implement interface ${type}.` :
                     `Argument ${index} is not ${isObject(value) ? 'callable' : 'an object'}.`);
}

function needFunction(Interface, member, value, index = 1) {
  if (typeof value !== 'function') throw wrongType(Interface, member, index, 'Function', value);
}

// A dictionary: undefined and null are an empty one.
function needDictionary(Interface, member, value, type, index) {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw typeError(Interface, member, `The provided value is not of type '${type}'.`,
                  `Argument ${index} can't be converted to a dictionary.`);
}

// A member of a dictionary that has to be an object of an interface.
function wrongMember(Interface, member, dictionary, key, type) {
  return typeError(Interface, member, `Failed to read the '${key}' property from '${dictionary}': Failed to convert value to '${type}'.`,
                   `'${key}' member of ${dictionary} is not an object.`);
}

// A value of an enumeration. `dictionary`: undefined when it is an argument itself.
function needEnum(Interface, member, value, type, values, dictionary, key) {
  const text = `${value}`;
  if (values.includes(text)) return text;
  const read = dictionary ? `Failed to read the '${key}' property from '${dictionary}': ` : '';
  throw typeError(Interface, member, `${read}The provided value '${text}' is not a valid enum value of type ${type}.`,
                  `'${text}' (value of ${dictionary ? `'${key}' member of ${dictionary}` : 'argument 1'}) is not a valid value for ` +
                  `enumeration ${type}.`);
}

// An `unsigned long long` with [EnforceRange].
function needRange(Interface, member, value, dictionary, key) {
  const number = Math.trunc(Number(value));
  if (number >= 0 && number <= Number.MAX_SAFE_INTEGER) return number + 0;
  const read = dictionary ? `Failed to read the '${key}' property from '${dictionary}': ` : '';
  const what = dictionary ? `'${key}' member of ${dictionary}` : 'Argument 1';
  const isFinite = Number.isFinite(number);
  throw typeError(Interface, member,
                  `${read}Value is ${isFinite ? "outside the 'unsigned long long' value range" : "not of type 'unsigned long long'"}.`,
                  `${what} is ${isFinite ? '' : 'not a finite value, so is '}out of range for unsigned long long.`);
}

function illegalConstructor(Interface) {
  return new TypeError(isFirefox() ? 'Illegal constructor.' : `Failed to construct '${Interface}': Illegal constructor`);
}

function illegalInvocation(Interface, member) {
  return new TypeError(isFirefox() ? `'${member}' called on an object that does not implement interface ${Interface}.` :
    'Illegal invocation');
}

module.exports = {
  domError, illegalConstructor, illegalInvocation, isFirefox, isObject, needArgs, needDictionary, needEnum, needFunction, needRange,
  plainError, prefixed, typeError, wrongMember, wrongType,
};
