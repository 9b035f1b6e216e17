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

// An error that tells its code: "TypeError [ERR_INVALID_ARG_TYPE]: ...".
function makeNodeError(Base, code, message) {
  if (!require('internal/version').atLeast(12)) return makeOldNodeError(Base, code, message);
  const error = new Base(message);
  Object.defineProperty(error, 'code', { value: code, writable: true, enumerable: true, configurable: true });
  Object.defineProperty(error, 'toString', {
    value() { return `${this.name} [${code}]: ${this.message}`; }, writable: true, enumerable: false, configurable: true,
  });
  const header = `${error.name} [${code}]: ${message}`;
  require('internal/stack').fixHeader(error, header);
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
