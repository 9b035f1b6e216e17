// DOMException (lib/internal/per_context/domexception.js): an Error by its prototype, with the old numbers as `code`.
'use strict';

const { makeNodeError } = require('internal/errors');

const kNames = [
  'IndexSizeError', , 'HierarchyRequestError', 'WrongDocumentError', 'InvalidCharacterError', , 'NoModificationAllowedError',
  'NotFoundError', 'NotSupportedError', 'InUseAttributeError', 'InvalidStateError', 'SyntaxError', 'InvalidModificationError',
  'NamespaceError', 'InvalidAccessError', , 'TypeMismatchError', 'SecurityError', 'NetworkError', 'AbortError', 'URLMismatchError',
  'QuotaExceededError', 'TimeoutError', 'InvalidNodeTypeError', 'DataCloneError',
];
const kConstants = [
  'INDEX_SIZE_ERR', 'DOMSTRING_SIZE_ERR', 'HIERARCHY_REQUEST_ERR', 'WRONG_DOCUMENT_ERR', 'INVALID_CHARACTER_ERR',
  'NO_DATA_ALLOWED_ERR', 'NO_MODIFICATION_ALLOWED_ERR', 'NOT_FOUND_ERR', 'NOT_SUPPORTED_ERR', 'INUSE_ATTRIBUTE_ERR',
  'INVALID_STATE_ERR', 'SYNTAX_ERR', 'INVALID_MODIFICATION_ERR', 'NAMESPACE_ERR', 'INVALID_ACCESS_ERR', 'VALIDATION_ERR',
  'TYPE_MISMATCH_ERR', 'SECURITY_ERR', 'NETWORK_ERR', 'ABORT_ERR', 'URL_MISMATCH_ERR', 'QUOTA_EXCEEDED_ERR', 'TIMEOUT_ERR',
  'INVALID_NODE_TYPE_ERR', 'DATA_CLONE_ERR',
];

const texts = new WeakMap();

function textsOf(exception) {
  const known = texts.get(exception);
  if (!known) throw makeNodeError(TypeError, 'ERR_INVALID_THIS', 'Value of "this" must be of type DOMException');
  return known;
}

// An Error of the engine, so that it has a stack, with another prototype.
class DOMException {
  constructor(message = '', options = 'Error') {
    const error = new Error();
    Object.setPrototypeOf(error, new.target.prototype);
    const isObject = options !== null && typeof options === 'object';
    texts.set(error, { message: `${message}`, name: `${isObject ? options.name ?? 'Error' : options}` });
    delete error.message;
    if (isObject && 'cause' in options) {
      Object.defineProperty(error, 'cause', { __proto__: null, value: options.cause, configurable: true, writable: true });
    }
    return error;
  }
  get name() { return textsOf(this).name; }
  get message() { return textsOf(this).message; }
  get code() { return kNames.indexOf(textsOf(this).name) + 1; }
}
Object.setPrototypeOf(DOMException.prototype, Error.prototype);
for (const name of ['name', 'message', 'code']) {
  Object.defineProperty(DOMException.prototype, name, { __proto__: null, enumerable: true });
}
Object.defineProperty(DOMException.prototype, Symbol.toStringTag, { __proto__: null, value: 'DOMException', configurable: true });
kConstants.forEach((name, i) => {
  const constant = { __proto__: null, enumerable: true, value: i + 1 };
  Object.defineProperty(DOMException, name, constant);
  Object.defineProperty(DOMException.prototype, name, constant);
});

module.exports = { DOMException };
