// Errors of Node's own, with their codes (lib/internal/errors.js).
'use strict';

// Before 12 the code, and a name that tells it, are accessors of a class of their own.
const kCode = Symbol('code');
const oldClasses = new Map();  // by class of the language

function oldClassOf(Base) {
  const known = oldClasses.get(Base);
  if (known !== undefined) return known;
  const fix = (error, key, value) => Object.defineProperty(error, key, { value, writable: true, enumerable: true, configurable: true });
  class NodeError extends Base {
    get name() { return `${super.name} [${this[kCode]}]`; }
    set name(value) { fix(this, 'name', value); }
    get code() { return this[kCode]; }
    set code(value) { fix(this, 'code', value); }
  }
  oldClasses.set(Base, NodeError);
  return NodeError;
}

function makeOldNodeError(Base, code, message) {
  const error = new (oldClassOf(Base))(message);
  Object.defineProperty(error, kCode, { value: code, writable: true, enumerable: false, configurable: true });
  require('internal/stack').fixHeader(error, `${error.name}: ${message}`);
  return error;
}

// Since 20, by class of the language.
const prototypes = new Map();

function prototypeOf(Base) {
  const known = prototypes.get(Base);
  if (known !== undefined) return known;
  const prototype = {
    __proto__: Base.prototype,
    toString() { return `${this.name} [${this.code}]: ${this.message}`; },
    get constructor() { return Base; },
  };
  prototypes.set(Base, prototype);
  return prototype;
}

const hidden = (value) => ({ __proto__: null, value, writable: true, enumerable: false, configurable: true });

// An error that tells its code: "TypeError [ERR_INVALID_ARG_TYPE]: ...".
function makeNodeError(Base, code, message) {
  const { atLeast } = require('internal/version');
  if (!atLeast(12)) return makeOldNodeError(Base, code, message);
  const error = atLeast(20) ? new Base() : new Base(message);
  if (atLeast(20)) {
    Object.setPrototypeOf(error, prototypeOf(Base));
    error.code = code;
    Object.defineProperty(error, 'message', hidden(message));
  } else {
    Object.defineProperty(error, 'toString', hidden(function () { return `${this.name} [${code}]: ${this.message}`; }));
    error.code = code;
  }
  require('internal/stack').fixHeader(error, `${error.name} [${code}]: ${message}`);
  return error;
}

// An error that Node makes below JavaScript; code: undefined when it has none.
function makeError(name, message, code, tellsCode) {
  const Base = name === 'TypeError' ? TypeError : name === 'RangeError' ? RangeError : Error;
  if (tellsCode) return makeNodeError(Base, code, message);
  const error = new Base(message);
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  if (code !== undefined) error.code = code;
  return error;
}

function received(value) {
  if (value == null) return ` Received ${value}`;
  const isOld = !require('internal/version').atLeast(20);
  if (typeof value === 'function' && isOld && !value.name) {
    const text = require('internal/inspect').inspect(value);
    return ` Received type function (${text.length > 28 ? `${text.slice(0, 25)}...` : text})`;
  }
  if (typeof value === 'function') return ` Received function ${value.name}`;
  if (typeof value === 'object') {
    if (value.constructor && value.constructor.name) return ` Received an instance of ${value.constructor.name}`;
    return ` Received ${require('internal/inspect').inspect(value, { depth: -1 })}`;
  }
  const text = typeof value === 'string' ? `'${value.length > 25 ? `${value.slice(0, 25)}...` : value}'` :
    require('internal/inspect').inspect(value);
  return ` Received type ${typeof value} (${text})`;
}

function checkFunction(value, name) {
  if (typeof value === 'function') return;
  throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE',
                      `The "${name}" argument must be of type function.${received(value)}`);
}

module.exports = { makeError, makeNodeError, checkFunction, received };
