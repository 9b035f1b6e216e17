// process.emitWarning(), and what is printed of a warning (lib/internal/process/warning.js).
'use strict';

const native = internalBinding;
const { markOwn } = require('internal/listeners');
const { internalTick } = require('internal/ticks');
const { atLeast } = require('internal/version');
const { invalidArgType, validateString } = require('internal/validate');

let wasHintShown = false;  // how to see where the warning was made

function nameOf(warning) {
  try {
    if (typeof warning.toString === 'function') return `${warning.toString()}`;
  } catch { /* the program's own */ }
  return Error.prototype.toString.call(warning);
}

// The first listener of 'warning'.
const onWarning = markOwn((warning) => {
  if (!(warning instanceof Error)) return;
  const { process } = native;
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isDeprecation && process.noDeprecation) return;
  const traces = process.traceProcessWarnings || (isDeprecation && process.traceDeprecation);
  if (native.facts.environment.NODE_NO_WARNINGS === '1') return;
  let text = `(node:${process.pid}) `;
  if (warning.code && atLeast(8)) text += `[${warning.code}] `;
  if (traces && warning.stack) text += warning.stack;
  else text += nameOf(warning);
  if (typeof warning.detail === 'string') text += `\n${warning.detail}`;
  if (!traces && !wasHintShown && atLeast(14)) {
    text += `\n(Use \`node ${isDeprecation ? '--trace-deprecation' : '--trace-warnings'} ...\` ` +
            'to show where the warning was created)';
    wasHintShown = true;
  }
  native.print(text, true);
});

function doEmitWarning(warning) { native.process.emit('warning', warning); }
function throwWarning(warning) { throw warning; }

function emitWarning(warning, type, code, ctor) {
  const { process } = native;
  let detail;
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    ctor = type.ctor;
    code = type.code;
    if (typeof type.detail === 'string') ({ detail } = type);
    type = type.type || 'Warning';
  } else if (typeof type === 'function') {
    ctor = type;
    code = '';
    type = 'Warning';
  }
  if (type !== undefined) validateString(type, 'type');
  if (typeof code === 'function') {
    ctor = code;
    code = '';
  } else if (code !== undefined) {
    validateString(code, 'code');
  }
  if (typeof warning === 'string') {
    const text = warning;
    warning = new Error(text);
    warning.name = String(type || 'Warning');
    if (code !== undefined && atLeast(8)) warning.code = code;
    if (detail !== undefined) warning.detail = detail;
    Error.captureStackTrace?.(warning, ctor || emitWarning);
  } else if (!(warning instanceof Error)) {
    throw invalidArgType('warning', ['Error', 'string'], warning);
  }
  if (warning.name === 'DeprecationWarning') {
    if (process.noDeprecation) return;
    if (process.throwDeprecation) {
      internalTick(throwWarning, warning);
      return;
    }
  }
  internalTick(doEmitWarning, warning);
}

module.exports = { emitWarning, onWarning };
