// Function.prototype.toString with V8's text of functions that have none of their own (Builtins::Generate_FunctionPrototypeToString,
// JSFunction::ToString and NativeCodeFunctionSourceString of v8/src/objects/js-function.cc).
'use strict';

const native = internalBinding;
const { isBuiltin, nameBuiltin } = require('internal/stack');
const { apply } = Reflect;
const functionToString = Function.prototype.toString;
const kNative = /^function (bound )?([^(]*)\(\) \{\n {4}\[native code\]\n\}$/;

// Of anything that can be called, also of what is no function of the program.
function textOf(fn) {
  if (fn === Function.prototype && native.facts.major < 8) return 'function () {}';
  if (isBuiltin(fn)) return `function ${Object.getOwnPropertyDescriptor(fn, 'name')?.value ?? ''}() { [native code] }`;
  if (native.proxyDetails(fn) !== undefined) return 'function () { [native code] }';
  const text = apply(functionToString, fn, []);
  const found = kNative.exec(text);
  if (found === null) return text;
  return `function ${found[1] === undefined ? found[2].trim() : ''}() { [native code] }`;
}

function install() {
  const { toString } = {
    toString() {
      if (typeof this !== 'function' || (native.facts.major < 10 && !isBuiltin(this) && native.proxyDetails(this) !== undefined)) {
        const why = native.facts.major < 8 ? 'is not generic' : 'requires that \'this\' be a Function';
        throw new TypeError(`Function.prototype.toString ${why}`);
      }
      return textOf(this);
    },
  };
  nameBuiltin(toString, 'Function.toString');
  Object.defineProperty(Function.prototype, 'toString', { value: toString, writable: true, enumerable: false, configurable: true });
}

module.exports = { install, textOf };
