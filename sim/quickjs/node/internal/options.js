// Options of Node, as the variable NODE_OPTIONS gives them (src/node_options.cc): those that mean something here.
'use strict';

const native = internalBinding;

const options = { pendingDeprecation: false };

// RejectionMode of sim/node/engine.hpp.
const kRejections = { none: 1, warn: 2, 'warn-with-error-codes': 3, strict: 4, throw: 5 };

function readOptions(text) {
  const { process } = native;
  for (const option of String(text ?? '').split(/\s+/)) {
    const [name, value] = option.split('=');
    switch (name.replaceAll('_', '-')) {
      case '--no-deprecation': process.noDeprecation = true; break;
      case '--no-warnings': options.noWarnings = true; break;
      case '--pending-deprecation': options.pendingDeprecation = true; break;
      case '--stack-trace-limit': Error.stackTraceLimit = Number(value); break;
      case '--throw-deprecation': process.throwDeprecation = true; break;
      case '--trace-deprecation': process.traceDeprecation = true; break;
      case '--trace-warnings': process.traceProcessWarnings = true; break;
      case '--unhandled-rejections': native.setRejectionMode(kRejections[value] ?? 0); break;
      case '--expose-gc':
        Object.defineProperty(globalThis, 'gc', {
          value: function gc() { require('internal/weak_refs').collect(); }, writable: true, enumerable: false, configurable: true,
        });
        break;
      default:
    }
  }
}

module.exports = { options, readOptions };
