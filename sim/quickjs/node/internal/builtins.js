// Node's own library: the files of lib/ of this version, as its own loader runs them (lib/internal/bootstrap/realm.js).
'use strict';

const native = internalBinding;
const { bindingOf } = require('internal/bindings/index');
const { makeNodeError } = require('internal/errors');
const { own, whenLoaded } = require('internal/own_builtins');
const { find: findPackaged } = require('internal/packaged');
const { atLeast } = require('internal/version');

const { apply } = Reflect;

const loaded = new Map();
const primordials = {};

function load(name) {
  const body = native.compileBuiltin(name);
  if (body === undefined) throw new Error(`no file lib/${name}.js in Node ${native.facts.release}`);
  if (body === null) {
    const packaged = findPackaged(name);
    if (packaged !== undefined) return packaged;
    throw makeNodeError(Error, 'ERR_LOOPSIM_NO_LIBRARY',
                        `Node ${native.facts.release}'s own library is not here, which '${name}' is a part of: it comes with ` +
                        "loopsim's packages, and tools/dev run makes it");
  }
  const module = { exports: {}, id: name };
  loaded.set(name, module);
  native.countLoad(true);
  try {
    apply(body, undefined, [module.exports, requireBuiltin, module, native.process, bindingOf, primordials]);
    whenLoaded[name]?.(module.exports);
  } finally {
    native.countLoad(false);
  }
  return module.exports;
}

function requireBuiltin(name) {
  const mine = own.get(name);
  if (mine !== undefined) return mine();
  const known = loaded.get(name);
  return known === undefined ? load(name) : known.exports;
}

// What the language has before a program can change it: since Node 12 its files have it from here.
function keepPrimordials() {
  if (!atLeast(12)) return;
  const body = native.compileBuiltin('internal/per_context/primordials');
  if (body) apply(body, undefined, [{}, primordials, bindingOf('util').privateSymbols, {}]);
}

module.exports = { requireBuiltin, keepPrimordials };
