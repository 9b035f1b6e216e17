// Modules: require() (lib/internal/modules/cjs/loader.js) and what import finds (lib/internal/modules/esm).
//
// The root of the program is kFolder to it, and the script stands in it or below. A module is read there, or from a
// node_modules folder above; the program sees no other file. What may be read is decided by the host alone, by the path
// that it is given from here.
'use strict';

const native = internalBinding;
const { Resource } = require('internal/async_ids');
const { requireBuiltin } = require('internal/builtins');
const { makeNodeError } = require('internal/errors');
const { noteRead } = require('internal/buffer_pool');
const { netOfVersion } = require('internal/net_module');
const { noteModule } = require('internal/source');
const { has } = require('internal/version');
const { facts } = require('internal/work');

const kFolder = '/usr/src/app';

const builtins = {
  assert: require('assert'),
  'assert/strict': require('assert/strict'),
  buffer: require('buffer'),
  async_hooks: require('async_hooks'),
  child_process: require('child_process'),
  console: require('console'),
  crypto: require('crypto'),
  dns: require('dns'),
  'dns/promises': require('dns/promises'),
  events: require('events'),
  fs: require('fs'),
  'fs/promises': require('fs/promises'),
  loopsim: require('loopsim'),
  os: require('os'),
  path: require('path'),
  'path/posix': require('path/posix'),
  perf_hooks: require('perf_hooks'),
  process: require('process'),
  querystring: require('querystring'),
  readline: require('readline'),
  'readline/promises': require('readline/promises'),
  string_decoder: require('string_decoder'),
  timers: require('timers'),
  'timers/promises': require('timers/promises'),
  url: require('url'),
  util: require('util'),
  'util/types': require('internal/types'),
  worker_threads: require('worker_threads'),
  zlib: require('zlib'),
};

// Those that are made when they are first asked for: Node's own files (internal/builtins.js), with the releases that brought them, and
// what stands on them.
const kNodes = {
  _stream_duplex: '4', _stream_passthrough: '4', _stream_readable: '4', _stream_transform: '4', _stream_writable: '4',
  diagnostics_channel: '15.1 14.17', punycode: '4', stream: '4', 'stream/consumers': '16.7', 'stream/promises': '15',
  'stream/web': '16.5',
};
function defineLazily(name, make) {
  Object.defineProperty(builtins, name, {
    configurable: true, enumerable: true,
    get() {
      const value = make();
      Object.defineProperty(builtins, name, { value, writable: true, configurable: true, enumerable: true });
      return value;
    },
  });
}
for (const name of Object.keys(kNodes)) defineLazily(name, () => requireBuiltin(name));
defineLazily('net', netOfVersion);

// What Node has, and there is not here.
const missing = new Set([
  'cluster', 'constants', 'dgram', 'domain', 'http', 'http2', 'https', 'inspector', 'punycode', 'repl', 'sys',
  'tls', 'trace_events', 'tty', 'v8', 'vm', 'wasi', 'path/win32', 'node:sea', 'node:sqlite', 'node:test',
  'node:test/reporters',
]);
// The first versions of modules that the library itself calls, or that are not here: since.js has the others.
const firsts = {
  async_hooks: '8', http2: '8', inspector: '8', trace_events: '10', wasi: '18', worker_threads: '11',
  'node:sea': '20', 'node:sqlite': '22', 'node:test': '16.17 18', 'node:test/reporters': '18.15 20', 'path/win32': '16',
};

// What the program gets in place of modules (--stub): by name, its exports. They are made once.
const stubs = new Map();
function stubOf(name) {
  const plain = name.startsWith('node:') ? name.slice(5) : name;
  const { stubs: given } = facts();
  if (!Object.hasOwn(given, plain)) return undefined;
  if (!stubs.has(plain)) stubs.set(plain, JSON.parse(given[plain]));
  return stubs.get(plain);
}

// node: is a part of names for require() since Node 14.18, for import as long as there is one. `asker`: who wants it, in words.
function builtinOf(name, isImport = false, asker = () => '') {
  const isPrefixed = name.startsWith('node:');
  if (isPrefixed && !isImport && !has('14.18 16')) return null;
  const plain = isPrefixed ? name.slice(5) : name;
  const known = [name, plain, plain.split('/')[0]];
  const isThere = !known.some((one) => Object.hasOwn(firsts, one) && !has(firsts[one]));
  if (isThere && Object.hasOwn(builtins, plain)) return plain;
  if (isThere && known.some((one) => missing.has(one))) {
    throw makeNodeError(Error, 'ERR_LOOPSIM_NO_MODULE', `loopsim has no module '${plain}'${asker()}`);
  }
  if (isPrefixed) {
    throw makeNodeError(Error, 'ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${name}`);
  }
  return null;
}

// Node's dns, which net uses, has a resolver from the start, which is a resource.
let hasResolver = false;
function noteUse(builtin) {
  if (hasResolver || !(builtin === 'dns' || builtin === 'dns/promises' || (builtin === 'net' && has('10')))) return;
  hasResolver = true;
  new Resource('DNSCHANNEL', {});
}

// ---- files ------------------------------------------------------------------------------------------------------------

const texts = new Map();

function normalize(path) {
  const parts = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return '/' + parts.join('/');
}

function folderOf(path) { return path.slice(0, path.lastIndexOf('/')) || '/'; }

// The path from the root.
function relativeOf(path) {
  if (path.startsWith(kFolder + '/')) return path.slice(kFolder.length + 1);
  let folder = kFolder;
  let up = '';
  do {
    folder = folderOf(folder);
    up += '../';
    const inside = folder === '/' ? '/' : folder + '/';
    if (path.startsWith(inside)) return up + path.slice(inside.length);
  } while (folder !== '/');
  return null;
}

function textOf(path) {
  if (!texts.has(path)) {
    const relative = relativeOf(path);
    texts.set(path, relative === null ? undefined : native.readModule(relative));
  }
  return texts.get(path);
}

// ---- names (Modules: CommonJS modules, All together) ----------------------------------------------------------------------

const extensions = ['.js', '.json', '.cjs', '.mjs'];

function asFile(path) {
  if (textOf(path) !== undefined) return path;
  return extensions.map((extension) => path + extension).find((one) => textOf(one) !== undefined) || null;
}

function packageAt(folder) {
  const text = textOf(`${folder}/package.json`);
  return text === undefined ? null : JSON.parse(text);
}

// The target of an entry of "exports" under these conditions.
function targetOf(entry, conditions) {
  if (typeof entry === 'string') return entry;
  if (Array.isArray(entry)) return entry.map((one) => targetOf(one, conditions)).find((one) => one !== null) ?? null;
  if (entry === null || typeof entry !== 'object') return null;
  for (const key of Object.keys(entry)) {
    if (key !== 'default' && !conditions.includes(key)) continue;
    const target = targetOf(entry[key], conditions);
    if (target !== null) return target;
  }
  return null;
}

function exported(described, sub, conditions) {
  let { exports } = described;
  if (exports === undefined) return undefined;
  if (typeof exports === 'string' || Array.isArray(exports) || !Object.keys(exports)[0]?.startsWith('.')) exports = { '.': exports };
  if (Object.hasOwn(exports, sub)) return targetOf(exports[sub], conditions);
  for (const key of Object.keys(exports)) {
    const star = key.indexOf('*');
    if (star < 0 || !sub.startsWith(key.slice(0, star)) || !sub.endsWith(key.slice(star + 1))) continue;
    const target = targetOf(exports[key], conditions);
    return target && target.replaceAll('*', sub.slice(star, sub.length - (key.length - star - 1)));
  }
  return null;
}

function asFolder(folder) {
  const described = packageAt(folder);
  if (described && described.main) {
    const main = normalize(`${folder}/${described.main}`);
    const found = asFile(main) || asFile(`${main}/index`);
    if (found) return found;
  }
  return asFile(`${folder}/index`);
}

function inPackages(name, from, conditions) {
  const parts = name.split('/');
  const own = parts.splice(0, name.startsWith('@') ? 2 : 1).join('/');
  const sub = ['.', ...parts].join('/');
  for (let folder = from; ; folder = folderOf(folder)) {
    const place = `${folder === '/' ? '' : folder}/node_modules/${own}`;
    const described = packageAt(place);
    const target = described ? exported(described, sub, conditions) : undefined;
    if (target) return normalize(`${place}/${target}`);
    const path = [place, ...parts].join('/');
    const found = target === null ? null : (sub === '.' ? null : asFile(path)) || asFolder(path);
    if (found) return found;
    if (folder === '/') return null;
  }
}

function resolve(name, from, conditions) {
  if (/^\.{0,2}\//.test(name) || name === '.' || name === '..') {
    const path = normalize(name.startsWith('/') ? name : `${from}/${name}`);
    return (name.endsWith('/') ? null : asFile(path)) || asFolder(path);
  }
  return inPackages(name, from, conditions);
}

// ---- CommonJS -------------------------------------------------------------------------------------------------------------

const cache = Object.create(null);  // require.cache

// Where require() looks for packages.
function nodeModulePaths(from) {
  const paths = [];
  for (let folder = from; folder !== '/'; folder = folderOf(folder)) {
    if (!folder.endsWith('/node_modules')) paths.push(`${folder}/node_modules`);
  }
  return [...paths, '/node_modules'];
}

class Module {
  constructor(id, parent) {
    this.id = id;
    this.path = folderOf(id);
    this.exports = {};
    this.filename = id;
    this.loaded = false;
    this.children = [];
    this.paths = nodeModulePaths(this.path);
    if (parent) parent.children.push(this);
  }
  require(name) { return load(name, this); }
}
builtins.module = Module;
Module.builtinModules = Object.keys(builtins);
Module.createRequire = (path) => makeRequire(new Module(String(path).replace(/^file:\/\//, '')));
Module._cache = cache;

let main;

// What is told of a module that would be outside of what the program sees, or is a link to there; '' for any other.
function outsideOf(name, from) {
  const paths = [];
  if (/^\.{0,2}(\/|$)/.test(name)) {
    paths.push(normalize(name.startsWith('/') ? name : `${from}/${name}`));
  } else {
    const own = name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/');
    for (let folder = from; folder !== '/'; folder = folderOf(folder)) paths.push(`${folder}/node_modules/${own}`);
  }
  const leads = (path) => { const file = relativeOf(path); return file !== null && native.readModule(file, true); };
  const out = paths.find((path) => leads(path) || extensions.some((extension) => leads(path + extension)));
  return out === undefined ? '' : `${out} is outside the program's root (--root DIR gives another)`;
}

function cannotFind(name, parent) {
  const stack = parent && native.facts.major >= 12 ? `\nRequire stack:\n- ${parent.filename}` : '';
  const outside = outsideOf(name, parent ? parent.path : kFolder);
  const error = new Error(`${outside || `Cannot find module '${name}'`}${stack}`);
  error.code = 'MODULE_NOT_FOUND';
  if (native.facts.major >= 12) error.requireStack = parent ? [parent.filename] : [];
  return error;
}

function pathOf(name, parent) {
  const path = resolve(name, parent.path, ['require', 'node']);
  if (!path) throw cannotFind(name, parent);
  return path;
}

function checkName(name) {
  if (typeof name === 'string' && name !== '') return;
  if (name === '') throw makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE', "The argument 'id' must be a non-empty string. Received ''");
  const { received } = require('internal/errors');
  throw makeNodeError(TypeError, 'ERR_INVALID_ARG_TYPE', `The "id" argument must be of type string.${received(name)}`);
}

// Where the program asks for a module, in words for a message.
function askerOf(file, line) { return file ? ` (asked for by ${file}${line ? `:${line}` : ''})` : ''; }
function callerOf(parent) {
  return () => {
    const file = parent === main ? native.facts.script : relativeOf(parent.filename) ?? parent.filename;
    return askerOf(file, native.lineIn(file));
  };
}

function load(name, parent) {
  checkName(name);
  const stub = stubOf(name);
  if (stub !== undefined) return stub;
  const builtin = builtinOf(name, false, callerOf(parent));
  if (builtin !== null) {
    noteUse(builtin);
    return builtins[builtin];
  }
  const path = pathOf(name, parent);
  const known = cache[path];
  if (known) return known.exports;
  const module = new Module(path, parent);
  cache[path] = module;
  try {
    if (path.endsWith('.json')) module.exports = JSON.parse(textOf(path));
    else run(module, compile(path));
  } catch (error) {
    delete cache[path];
    throw error;
  }
  module.loaded = true;
  return module.exports;
}

// As stacks and the trace name it: by its path from the root, unless that is how the script is named.
function nameOf(path) {
  const file = relativeOf(path) ?? path;
  return file === native.facts.script ? `./${file}` : file;
}

function compile(path) {
  const file = nameOf(path);
  noteModule(file, textOf(path));
  noteRead(textOf(path));
  return native.compile(textOf(path), file);
}

function makeRequire(module) {
  const require = (name) => load(name, module);
  require.resolve = (name) => builtinOf(name, false, callerOf(module)) ?? pathOf(name, module);
  require.main = main;
  require.cache = cache;
  require.extensions = Object.create(null);
  return require;
}

function run(module, body) {
  Reflect.apply(body, module.exports, [module.exports, makeRequire(module), module, module.filename, module.path]);
}

// `script`: the function that the script is the body of.
function runMain(script) {
  main = new Module(`${kFolder}/${native.facts.file}`);
  main.id = '.';
  cache[main.filename] = main;
  run(main, script);
  main.loaded = true;
}

// ---- import -----------------------------------------------------------------------------------------------------------------

// The first line that has the name in quotes is that of the import.
function importerOf(base, isMain, name) {
  const lines = ((isMain ? native.programSource().source : textOf(base)) ?? '').split('\n');
  const line = lines.findIndex((one) => one.includes(`'${name}'`) || one.includes(`"${name}"`));
  return askerOf(isMain ? base : relativeOf(base) ?? base, line + 1);
}

// The full name of what a module imports; the main module is the only one whose name is not a path.
function resolveImport(base, name) {
  if (native.facts.major < 12) throw new Error('Not supported');
  const isMain = base === native.facts.script;
  const importer = isMain ? `${kFolder}/${native.facts.file}` : base;
  if (stubOf(name) !== undefined) return `stub:${name}`;
  const builtin = builtinOf(name, true, () => importerOf(base, isMain, name));
  if (builtin !== null) return `node:${builtin}`;
  const from = folderOf(importer);
  const path = resolve(name, from, ['import', 'node']);
  if (path) return path;
  const outside = outsideOf(name, from);
  if (outside) throw makeNodeError(Error, 'ERR_MODULE_NOT_FOUND', `${outside}, imported from ${importer}`);
  const what = /^\.{0,2}\//.test(name) ? `module '${normalize(`${from}/${name}`)}'` : `package '${name}'`;
  throw makeNodeError(Error, 'ERR_MODULE_NOT_FOUND', `Cannot find ${what} imported from ${importer}`);
}

const kWord = /^[A-Za-z_$][\w$]*$/;
const kReserved = new Set(['default', 'delete', 'function', 'import', 'new', 'this', 'typeof', 'void', 'with', 'class', 'enum']);

// A module that gives the values of a CommonJS one or of a builtin.
function synthetic(exported, key) {
  const names = exported !== null && (typeof exported === 'object' || typeof exported === 'function')
    ? Object.keys(exported).filter((name) => kWord.test(name) && !kReserved.has(name)) : [];
  synthetics.set(key, exported);
  return [`const it = globalThis[Symbol.for('loopsim.synthetic')](${JSON.stringify(key)});`, 'export default it;',
          ...names.map((name, i) => `const v${i} = it.${name}; export { v${i} as ${name} };`)].join('\n');
}
const synthetics = new Map();
Object.defineProperty(globalThis, Symbol.for('loopsim.synthetic'), { value: (key) => synthetics.get(key), configurable: true });

function isModule(path) {
  if (path.endsWith('.mjs')) return true;
  if (path.endsWith('.cjs') || path.endsWith('.json')) return false;
  for (let folder = folderOf(path); folder !== '/'; folder = folderOf(folder)) {
    const described = packageAt(folder);
    if (described) return described.type === 'module' || (described.type === undefined && /^\s*(import|export)\b/m.test(textOf(path)));
  }
  return /^\s*(import|export)\b/m.test(textOf(path));
}

// ---- import.meta (lib/internal/modules/esm/initialize_import_meta.js) ---------------------------------------------------

function metaBefore(name) {
  return `Object.assign(import.meta,globalThis[Symbol.for('loopsim.meta')](${JSON.stringify(name)}));`;
}

const urlOf = (path) => `file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;

// `name`: the path of a module, or 'main'.
function metaOf(name) {
  const isMain = name === 'main';
  const path = isMain ? `${kFolder}/${native.facts.file}` : name;
  const meta = { __proto__: null };
  if (has('21.2 20.11')) {
    meta.dirname = folderOf(path);
    meta.filename = path;
  }
  if (has('24.2 22.18')) meta.main = isMain;
  if (has('20.6 18.19')) {
    meta.resolve = function resolve(specifier) {
      checkName(specifier);
      if (/^[a-z]{2,}:/.test(specifier) && !specifier.startsWith('node:')) return specifier;
      if (/^\.{0,2}\//.test(specifier)) return urlOf(normalize(specifier.startsWith('/') ? specifier : `${folderOf(path)}/${specifier}`));
      const found = resolveImport(path, specifier);
      return found.startsWith('node:') ? found : urlOf(found);
    };
  }
  meta.url = urlOf(path);
  return meta;
}
Object.defineProperty(globalThis, Symbol.for('loopsim.meta'), { value: metaOf, configurable: true });

function loadImport(name) {
  if (name.startsWith('stub:')) return synthetic(stubOf(name.slice(5)), name);
  if (name.startsWith('node:')) return synthetic(builtins[name.slice(5)], name);
  if (isModule(name)) {
    const before = textOf(name).includes('import.meta') ? metaBefore(name) : '';
    noteModule(name, textOf(name), before.length);
    return before + textOf(name).replace(/^#!/, '//');
  }
  return synthetic(load(name, main ?? new Module(`${kFolder}/main.mjs`)), name);
}

// What the version has not of Node's own files.
function restrictBuiltins() {
  for (const [name, since] of Object.entries(kNodes)) if (!has(since)) delete builtins[name];
}

module.exports = { builtins, restrictBuiltins, loadImport, resolveImport, runMain };
