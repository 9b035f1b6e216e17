// The first of the files of a browser's library: it takes the others, and starts a window.
//
// As Node's library (internal/loader.js) it is evaluated once, before any window; start() gives it the functions of the loop below.
'use strict';

const native = internalBinding;
const { lockSymbols } = require('internal/originals');
const { readVersion } = require('internal/version');
const document = require('web/document');
const errors = require('web/errors');
const { dispatchInput } = require('web/input');
const { afterAnimationFrames } = require('web/observers');
const promiseTry = require('web/promise_try');
const { since } = require('web/since');
const { makeDeadline } = require('web/timers');
const { install } = require('web/window');
const { isFirefox } = require('web/words');

// Takes away what this version has not.
function removeNames() {
  const { version } = native.facts;
  const { prototype: iterators } = globalThis.Iterator ?? {};
  for (const [name, chrome = Infinity, firefox = Infinity] of since) {
    if (version >= (isFirefox() ? firefox : chrome)) continue;
    const path = name.split('.');
    const last = path.pop();
    let owner = globalThis;
    for (const step of path) owner = owner?.[step];
    if (owner !== undefined && owner !== null) Reflect.deleteProperty(owner, last);
  }
  if ('Iterator' in globalThis || iterators === undefined) return;
  // What all iterators inherit had no other members before there was the global.
  for (const key of Reflect.ownKeys(iterators)) if (key !== Symbol.iterator) Reflect.deleteProperty(iterators, key);
}

// `below`: the functions of the loop, and facts. Returns what the loop calls.
function start(below) {
  delete globalThis.__loopsim_start;
  delete globalThis.__loopsim_start_window;
  Object.assign(native, below);
  // Texts of values are those of a Node of today.
  native.facts.release ??= '24.0.0';
  readVersion();
  if (!isFirefox()) promiseTry.install();
  install(`${native.facts.html ?? ''}`, native.facts.url);
  removeNames();
  lockSymbols();
  return {
    reportException: errors.reportException,
    rejected: errors.rejected,
    rejectionHandled: errors.rejectionHandled,
    dispatchInput,
    makeDeadline,
    afterAnimationFrames,
    finishParsing: document.finishParsing,
    finishLoading: document.finishLoading,
  };
}

module.exports = { start };
