// DOMException.
'use strict';

const { constants, describe } = require('web/webidl');
const { illegalInvocation } = require('web/words');

// The codes of those that have one, from 1 on; '' is of names that are no more.
const kNames = [
  'IndexSizeError', '', 'HierarchyRequestError', 'WrongDocumentError', 'InvalidCharacterError', '', 'NoModificationAllowedError',
  'NotFoundError', 'NotSupportedError', 'InUseAttributeError', 'InvalidStateError', 'SyntaxError', 'InvalidModificationError',
  'NamespaceError', 'InvalidAccessError', '', 'TypeMismatchError', 'SecurityError', 'NetworkError', 'AbortError', 'URLMismatchError',
  'QuotaExceededError', 'TimeoutError', 'InvalidNodeTypeError', 'DataCloneError',
];
const kOldNames = { 2: 'DOMSTRING_SIZE_ERR', 6: 'NO_DATA_ALLOWED_ERR', 16: 'VALIDATION_ERR', 10: 'INUSE_ATTRIBUTE_ERR' };

const texts = new WeakMap();
const isException = (value) => texts.has(value);

// An Error of the engine, so that it has a stack, with another prototype.
class DOMException {
  constructor(message = '', name = 'Error') {
    const error = new Error(`${message}`);
    texts.set(error, { message: `${message}`, name: `${name}` });
    // The stack begins with what an Error of that name would begin with.
    if (typeof error.stack === 'string' && error.stack.startsWith('Error')) {
      const header = message === '' ? 'Error' : `Error: ${message}`;
      const rest = error.stack.startsWith(header) ? error.stack.slice(header.length) : '';
      Object.defineProperty(error, 'stack', {
        value: `${message === '' ? name : `${name}: ${message}`}${rest}`, writable: true, configurable: true, enumerable: false,
      });
    }
    delete error.message;
    Object.setPrototypeOf(error, new.target.prototype);
    return error;
  }
  get name() { return textsOf(this, 'name').name; }
  get message() { return textsOf(this, 'message').message; }
  get code() { return kNames.indexOf(textsOf(this, 'code').name || '-') + 1; }
}
function textsOf(exception, member) {
  const known = texts.get(exception);
  if (!known) throw illegalInvocation('DOMException', `get ${member}`);
  return known;
}
Object.setPrototypeOf(DOMException.prototype, Error.prototype);
describe(DOMException);
constants(DOMException, Object.fromEntries(kNames.map((name, i) => {
  const words = name.replace(/Error$/, '').replace(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (all, a, b, c) => (c ? `${c}_` : `${a}_${b}`));
  return [kOldNames[i + 1] ?? `${words.toUpperCase()}_ERR`, i + 1];
})));

module.exports = { DOMException, isException };
