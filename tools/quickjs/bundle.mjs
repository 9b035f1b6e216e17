// Makes files of Node's JavaScript (sim/quickjs/node) out of npm packages: node bundle.mjs WORK OUT
//
// WORK: the folder with node_modules. Each package becomes OUT/vendor/NAME.js: a CommonJS module of that library, which finds
// other files of it by require(), and functions of the engine in internalBinding. Where a package asks for what only the
// engine knows, its text is changed; a change that does not fit is an error, as the packages' versions are pinned.
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [work, out] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(join(work, 'package.json'))('esbuild');

// Their text, by the name of the file in the library.
const bundles = {
  inspect: "module.exports = require('node-inspect-extracted');",
  buffer: "module.exports = require('buffer/');",
  string_decoder: "module.exports = require('string_decoder/');",
  path: "module.exports = require('path-browserify');",
  querystring: "module.exports = require('querystring-es3');",
  url: "module.exports = require('url/');",
  whatwg_url: "module.exports = require('whatwg-url-without-unicode');",
  assert: `
    exports.assert = require('assert/');
    exports.AssertionError = require('assert/build/internal/assert/assertion_error');
    exports.comparisons = require('assert/build/internal/util/comparisons');`,
  // The streams of Node 8, of Node 10 and of Node 18; internal/streams.js takes the nearest.
  stream2: `
    const Stream = module.exports = require('stream');
    Stream.Readable = require('readable-stream-2/lib/_stream_readable.js');
    Stream.Writable = require('readable-stream-2/lib/_stream_writable.js');
    Stream.Duplex = require('readable-stream-2/lib/_stream_duplex.js');
    Stream.Transform = require('readable-stream-2/lib/_stream_transform.js');
    Stream.PassThrough = require('readable-stream-2/lib/_stream_passthrough.js');`,
  stream3: `
    const Stream = module.exports = require('stream');
    Stream.Readable = require('readable-stream-3/lib/_stream_readable.js');
    Stream.Writable = require('readable-stream-3/lib/_stream_writable.js');
    Stream.Duplex = require('readable-stream-3/lib/_stream_duplex.js');
    Stream.Transform = require('readable-stream-3/lib/_stream_transform.js');
    Stream.PassThrough = require('readable-stream-3/lib/_stream_passthrough.js');
    Stream.pipeline = require('readable-stream-3/lib/internal/streams/pipeline.js');
    Stream.finished = require('readable-stream-3/lib/internal/streams/end-of-stream.js');`,
  stream4: `
    module.exports = require('readable-stream-4/lib/stream.js');
    module.exports.parts = {
      destroy: require('readable-stream-4/lib/internal/streams/destroy.js'),
      duplexify: require('readable-stream-4/lib/internal/streams/duplexify.js'),
      operators: require('readable-stream-4/lib/internal/streams/operators.js'),
      promises: require('readable-stream-4/lib/stream/promises.js'),
      utils: require('readable-stream-4/lib/internal/streams/utils.js'),
    };`,
};

// Requests that the library itself answers.
const ofLibrary = {
  'util/': 'util',
  'safe-buffer': 'vendor/buffer',
  qs: 'vendor/querystring',
};

// The same, of streams.
const ofStreams = {
  buffer: 'buffer',
  events: 'events',
  'safe-buffer': 'buffer',
  'string_decoder/': 'string_decoder',
  '../../errors': 'internal/stream_errors',
  '../errors': 'internal/stream_errors',
  '../../../errors': 'internal/stream_errors',
  '../../ours/errors': 'internal/stream_errors',
  '../ours/errors': 'internal/stream_errors',
  './ours/errors': 'internal/stream_errors',
  '../../ours/util': 'internal/stream_util',
  '../ours/util': 'internal/stream_util',
  './ours/util': 'internal/stream_util',
  '../validators': 'internal/validate',
};

// What else a package takes from Node.
const globals = {
  stream2: "const { process } = require('internal/stream_util');",
  stream3: "const { process } = require('internal/stream_util');",
  whatwg_url: "const { Buffer } = require('vendor/buffer');",
};

// Polyfills of what the engine has.
const native = {
  'object.assign/polyfill': 'module.exports = () => Object.assign;',
  'object-is/polyfill': 'module.exports = () => Object.is;',
  'object-is': 'module.exports = Object.is;',
  'is-nan': 'module.exports = Number.isNaN;',
  'call-bind/callBound': "module.exports = (name) => Function.call.bind(name.split('.').reduce((o, k) => o[k], globalThis));",
  inherits: "module.exports = require('util').inherits;",
  isarray: 'module.exports = Array.isArray;',
  'core-util-is': '',
  'util-deprecate': 'module.exports = (fn) => fn;',
  'process-nextick-args': "exports.nextTick = require('internal/ticks').internalTick;",
  '../shims/process': "module.exports = require('internal/stream_util').process;",
  'abort-controller': "module.exports = require('internal/abort_controller');",
  stream: "module.exports = require('readable-stream-4/lib/internal/streams/legacy.js').Stream;",
  'lodash.sortby': 'module.exports = (list, [key]) => [...list].sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0));',
};

// The packages that are in the program then, as THIRD_PARTY.md names them (tests/package/metadata.py).
const packages = ['assert', 'base64-js', 'buffer', 'ieee754', 'node-inspect-extracted', 'path-browserify', 'punycode',
  'querystring-es3', 'readable-stream-2', 'readable-stream-3', 'readable-stream-4', 'string_decoder', 'url', 'webidl-conversions', 'whatwg-url-without-unicode'];

const changes = [];
function change(file, from, to) { changes.push({ file, from, to, found: 0 }); }

// What only the engine knows of a value (internal/values.js).
const inspect = 'node-inspect-extracted/dist/inspect.js';
change(inspect, /getPromiseDetails:\(\)=>\[(\w+),void 0\]/,
       'getPromiseDetails:require("internal/values").promiseDetails($1,kRejectedOf)');
change(inspect, /(\w+)=p\("kPending"\),(\w+)=p\("kRejected"\)/, '$1=p("kPending"),$2=p("kRejected"),kRejectedOf=$2');
change(inspect, /getProxyDetails:(\w+)\.getProxyDetails,/, 'getProxyDetails:require("internal/values").proxyDetails,');
change(inspect, /(\w+)\.exports=URL\b/, '$1.exports=require("vendor/whatwg_url").URL');
change(inspect, /(\w+)\.exports=\{isAsyncFunction:/, '$1.exports=require("internal/types")||{isAsyncFunction:');
// The package prints as the newest Node does; internal/version.js knows since when.
const since = (version) => `require("internal/version").major()>=${version}`;
change(inspect, /if\("symbol"==typeof r\)\{const e=(\w+\(\w+,\w+\(r\),\w+\));s=(\w)\.stylize\(e,"symbol"\)\}/,
       `if("symbol"==typeof r){const e=$1;s=$2.stylize(e,"symbol");if(!(${since(24)}))s="["+s+"]"}`);
change(inspect, /\{ \[byteLength\]: \$\{/, `{ \${${since(22)}?"[byteLength]":"byteLength"}: \${`);
change(inspect, /if\(0!==s\)for\(let e=0;e<s;e\+\+\)u=/, `if(0!==s&&${since(26)})for(let e=0;e<s;e++)u=`);
change(inspect, /\$\{t\.stylize\(`\[\$\{r\}\]`,"string"\)\}/,
       '${t.stylize(' + since(22) + '?`[${r}]`:r,' + since(22) + '?"string":"name")}');
const assertion = 'assert/build/internal/assert/assertion_error.js';
change(assertion, /\\n\\nshould equal\\n\\n/, '\\n\\nshould " + (operator === "equal" ? "equal" : "loosely deep-equal") + "\\n\\n');
change(assertion, /Values identical but not reference-equal:/, 'Values have same structure but are not reference-equal:');
change(assertion, /if \(message != null\) \{\s+_this = _super.call\(this, String\(message\)/,
       `if (message != null) {
      _this = _super.call(this, String(message) + require('internal/assert_message').difference(operator, function () {
        return createErrDiff(actual, expected, operator);
      })`);
change(assertion, /\.concat\(end\)\.concat\(indicator\);/, `.concat(end).concat(indicator) + (${since(22)} ? "\\n" : "");`);
// The lines around a difference.
change(assertion, /if \(cur > 1 && i > 2\)/g, 'if (cur > 2)');
change(assertion, /\} else if \(cur > 3\)/g, '} if (cur > 3)');
change(assertion, /_this\.operator = operator;/, `_this.operator = operator;
    if (${since(22)}) _this.diff = 'simple';`);
const asserting = 'assert/build/assert.js';
change(asserting, /if \(isRegExp\(expected\)\) return RegExpPrototypeTest\(expected, actual\);\s+\/\/ assert.doesNotThrow/,
       `if (isRegExp(expected)) {
      if (RegExpPrototypeTest(expected, actual)) return true;
      if (fn === undefined) return false;
      require('internal/assert_message').failMatch(AssertionError, actual, expected, msg, fn);
    }
    // assert.doesNotThrow`);
change(asserting, /if \(Error\.isPrototypeOf\(expected\)\) \{\s+return false;/, `if (Error.isPrototypeOf(expected)) {
    if (fn !== undefined) require('internal/assert_message').failClass(AssertionError, actual, expected, msg, fn);
    return false;`);
change(asserting, /return expected\.call\(\{\}, actual\) === true;/, `var validated = expected.call({}, actual);
  if (validated === true) return true;
  if (fn !== undefined) require('internal/assert_message').failValidation(AssertionError, actual, expected, validated, msg, fn);
  return false;`);
// A name that is there twice would be another one in the bundle.
change(asserting, /var Comparison = /, 'var Compared = ');
change(asserting, /new Comparison\(actual, keys\);\s+var b = new Comparison\(/, `new Compared(actual, keys);
      var b = new Compared(`);
// The message of a failed assert.ok().
change(asserting, /throw message;\s+\}(?=\s+var err = new AssertionError\(\{\s+actual: value,)/, `throw message;
    } else if (message == null) {
      generatedMessage = true;
      message = require('internal/assert_message').falsyMessage(fn);
    }`);
// The engine has no threads, and so no Atomics.
change(inspect, /"Atomics",/, '');

// The version decides when the library is started, not when it is loaded.
const writable4 = 'readable-stream-4/lib/internal/streams/writable.js';
const readable4 = 'readable-stream-4/lib/internal/streams/readable.js';
const duplex4 = 'readable-stream-4/lib/internal/streams/duplex.js';
// Node 20: a write that succeeds at once needs no tick of its own, and no 'drain'; callbacks get null.
change(writable4, /  state\.length \+= len\n\n  \/\/ stream\._write resets state\.length\n  const ret = [^\n]*\n[^\n]*\n  if \(!ret\) state\.needDrain = true/,
       `  state.length += len;
  let ret = state.length < state.highWaterMark;
  if (!ret && !(${since(20)})) state.needDrain = true;`);
change(writable4, /    state\.sync = false\n  \}\n\n  \/\/ Return false if errored/, `    state.sync = false
  }
  if (${since(20)}) {
    ret = state.length < state.highWaterMark;
    if (!ret) state.needDrain = true;
  }

  // Return false if errored`);
change(writable4, /    if \(sync\) \{\n      \/\/ It is a common case/, `    if (sync && cb === nop && ${since(20)}) {
      if (!state.afterWritePending && state.needDrain && state.length === 0) {
        state.afterWritePending = true;
        process.nextTick(afterWrite, stream, state, 1, cb);
      } else {
        state.pendingcb--;
        if (state.ending) finishMaybe(stream, state, true);
      }
    } else if (sync) {
      state.afterWritePending = true;
      // It is a common case`);
change(writable4, /function afterWrite\(stream, state, count, cb\) \{/, `function afterWrite(stream, state, count, cb) {
  state.afterWritePending = false;`);
change(writable4, /    state\.pendingcb--\n    cb\(\)/, `    state.pendingcb--;
    if (${since(20)}) cb(null);
    else cb();`);
change(writable4, /    onfinishCallbacks\[i\]\(\)/, `    if (${since(20)}) onfinishCallbacks[i](null);
    else onfinishCallbacks[i]();`);
change(writable4, /    if \(err \|\| state\.finished\) \{\n      process\.nextTick\(cb, err\)/, `    if (${since(20)} && !err && state.errored) {
      process.nextTick(cb, state.errored);
    } else if (err || state.finished) {
      process.nextTick(cb, ${since(20)} && !err ? null : err)`);
change(duplex4, /ObjectDefineProperties\(Duplex\.prototype, \{\n  writable:/, `const destroyBySide = Writable.prototype.destroy;
const destroyOfReadable = Duplex.prototype.destroy;
Duplex.prototype.destroy = function (err, cb) {
  return (${since(20)} ? destroyBySide : destroyOfReadable).call(this, err, cb);
};
ObjectDefineProperties(Duplex.prototype, {
  writable:`);
// Node 20: what was asked for stays asked for.
change(readable4, /    state\.needReadable = state\.length <= state\.highWaterMark\n/,
       `    state.needReadable = state.length <= state.highWaterMark || (${since(20)} && state.needReadable)\n`);
change(readable4, /  state\.needReadable = !state\.flowing && !state\.ended && state\.length <= state\.highWaterMark\n/,
       `  state.needReadable = (!state.flowing && !state.ended && state.length <= state.highWaterMark) || (${since(20)} && state.needReadable)\n`);

// Until Node 16: what a stream with an error, or a destroyed one, still does.
change(readable4, /if \(ret !== null && !state\.errorEmitted && !state\.closeEmitted\) \{/,
       `if (ret !== null && (!(${since(18)}) || (!state.errorEmitted && !state.closeEmitted))) {`);
change(readable4, /if \(!state\.errored && !state\.closeEmitted && !state\.endEmitted && state\.length === 0\)/,
       `if ((${since(18)} ? !state.errored : !state.errorEmitted) && !state.closeEmitted && !state.endEmitted && state.length === 0)`);
change(readable4, /else if \(state\.destroyed \|\| state\.errored\) return false\n/, `else if (state.destroyed || (state.errored && ${since(16)})) return false\n`);
change(readable4, /\} else if \(state\.destroyed \|\| state\.errored\) \{\n      return false/,
       `} else if (state.destroyed || (state.errored && ${since(16)})) {\n      return false`);
change(readable4, /if \(state\.ended \|\| state\.reading \|\| state\.destroyed \|\| state\.errored \|\| !state\.constructed\)/,
       `if (state.ended || state.reading || state.destroyed || (state.errored && ${since(16)}) || !state.constructed)`);
change(readable4, /if \(!state\.destroyed && !state\.errored && \(state\.length \|\| state\.ended\)\)/,
       `if (!state.destroyed && !(state.errored && ${since(16)}) && (state.length || state.ended))`);
// How a writable stream ends: what is asked for again when a tick of its own has come to it.
change(writable4, /    !state\.destroyed &&\n    state\.constructed &&/, `    !(state.destroyed && ${since(18)}) &&
    state.constructed &&`);
change(writable4, /    !state\.errorEmitted &&\n    !state\.closeEmitted\n/, `    !((state.errorEmitted || state.closeEmitted) && ${since(16)})\n`);
change(writable4, /    if \(state\.pendingcb === 0\) \{\n      if \(sync\) \{/, `    if (state.pendingcb === 0) {
      if (!(${since(18)})) {
        if (!(${since(16)}) || needFinish(state)) {
          state.pendingcb++;
          if (sync) process.nextTick(finish, stream, state);
          else finish(stream, state);
        }
      } else if (sync) {`);
change(writable4, /  state\.pendingcb--\n  state\.finished = true\n/, `  state.pendingcb--;
  if (!(${since(16)}) && state.errorEmitted) return;
  state.finished = true;
`);
change(writable4, /      state\.finalCalled = true\n      callFinal\(stream, state\)/, `      state.finalCalled = true;
      if (${since(16)}) {
        callFinal(stream, state);
      } else {
        state.pendingcb++;
        process.nextTick(callFinalLater, stream, state);
      }`);
change(writable4, /function prefinish\(stream, state\) \{/, `function callFinalLater(stream, state) {
  stream._final((err) => {
    state.pendingcb--;
    if (err) {
      errorOrDestroy(stream, err);
    } else {
      state.prefinished = true;
      stream.emit('prefinish');
      finishMaybe(stream, state);
    }
  });
}
// Node 14: the callback of end() is a listener.
function listenForEnd(stream, cb) {
  const stop = () => {
    stream.removeListener('finish', onfinish);
    stream.removeListener('error', onerror);
  };
  const onfinish = () => {
    stop();
    cb();
  };
  const onerror = (err) => {
    stop();
    cb(err);
    if (stream.listenerCount('error') === 0) stream.emit('error', err);
  };
  stream.on('finish', onfinish);
  stream.prependListener('error', onerror);
}
function prefinish(stream, state) {`);
change(writable4, /      state\[kOnFinished\]\.push\(cb\)/, `      if (${since(16)}) state[kOnFinished].push(cb);
      else listenForEnd(this, cb);`);
change(writable4, /    const ret = _write\(this, chunk, encoding\)\n/, `    const ret = ${since(16)} ? _write(this, chunk, encoding) : this.write(chunk, encoding);\n`);
change(writable4, /    callback\(\n      \(_state\$errored = state\.errored\)/, `    callback(
      !(${since(18)}) ? new ERR_STREAM_DESTROYED('write') : (_state$$errored = state.errored)`);
change(writable4, /    onfinishCallbacks\[i\]\(\n      \(_state\$errored2 = state\.errored\)/, `    onfinishCallbacks[i](
      !(${since(18)}) ? new ERR_STREAM_DESTROYED('end') : (_state$$errored2 = state.errored)`);

// Node 11 and 12, over the streams of Node 10.
const writable3 = 'readable-stream-3/lib/_stream_writable.js';
const readable3 = 'readable-stream-3/lib/_stream_readable.js';
change(readable3, /if \(state\.flowing && state\.length === 0 && !state\.sync\) \{/,
       `if (state.flowing && state.length === 0 && !state.sync && (!(${since(12)}) || stream.listenerCount('data') > 0)) {`);
change(readable3, /if \(state\.ended \|\| state\.reading\) \{/, `if (state.ended || state.reading || (state.destroyed && ${since(12)})) {`);
change(readable3, /    state\.needReadable = false;\n    if \(!state\.emittedReadable\) \{/, `    state.needReadable = false;
    if (!state.emittedReadable || ${since(11)}) {`);
change(writable3, /    if \(sync\) \{\n      process\.nextTick\(afterWrite, stream, state, finished, cb\);/, `    if (sync && ${since(12)}) {
      if (state.afterWriteTickInfo && state.afterWriteTickInfo.cb === cb) {
        state.afterWriteTickInfo.count++;
      } else {
        state.afterWriteTickInfo = { count: 1, cb, stream, state };
        process.nextTick(afterWriteTick, state.afterWriteTickInfo);
      }
    } else if (sync) {
      process.nextTick(afterWrite, stream, state, finished, cb);`);
change(writable3, /function afterWrite\(stream, state, finished, cb\) \{\n  if \(!finished\) onwriteDrain\(stream, state\);/,
       `function afterWriteTick({ stream, state, count, cb }) {
  state.afterWriteTickInfo = null;
  while (count-- > 1) afterWrite(stream, state, false, cb);
  afterWrite(stream, state, false, cb);
}
function afterWrite(stream, state, finished, cb) {
  if (${since(12)} ? !state.ending && !stream.destroyed : !finished) onwriteDrain(stream, state);`);

// Node 4 and 6, over the streams of Node 8.
const writable2 = 'readable-stream-2/lib/_stream_writable.js';
change(writable2, /    pna\.nextTick\(finishMaybe, stream, state\);\n/, `    if (${since(8)}) pna.nextTick(finishMaybe, stream, state);\n`);
change(writable2, /    \/\/ always follow error\n    finishMaybe\(stream, state\);/, `    if (${since(8)}) finishMaybe(stream, state);`);

// Node 20: other views than Uint8Array; encodings are checked; the objects of events know the usual ones.
const views = `(${since(20)} ? ArrayBuffer.isView(chunk) : Stream._isUint8Array(chunk))`;
const viewNames = `${since(20)} ? ['string', 'Buffer', 'TypedArray', 'DataView'] : ['string', 'Buffer', 'Uint8Array']`;
change(writable4, /Stream\._isUint8Array\(chunk\)/, views);
change(writable4, /new ERR_INVALID_ARG_TYPE\('chunk', \['string', 'Buffer', 'Uint8Array'\], chunk\)/,
       `new ERR_INVALID_ARG_TYPE('chunk', ${viewNames}, chunk)`);
change(readable4, /Stream\._isUint8Array\(chunk\)/, views);
change(readable4, /new ERR_INVALID_ARG_TYPE\('chunk', \['string', 'Buffer', 'Uint8Array'\], chunk\)/,
       `new ERR_INVALID_ARG_TYPE('chunk', ${viewNames}, chunk)`);
change(writable4, /    cb = encoding\n    encoding = state\.defaultEncoding\n  \} else \{\n    if \(!encoding\) encoding = state\.defaultEncoding/, `    cb = encoding;
    encoding = state.objectMode && ${since(20)} ? null : state.defaultEncoding;
  } else {
    if (state.objectMode && ${since(20)}) encoding;
    else if (!encoding) encoding = state.defaultEncoding`);
const checkEncoding = `
  if (${since(20)} && options && options.defaultEncoding && !Buffer.isEncoding(options.defaultEncoding)) {
    throw new ERR_UNKNOWN_ENCODING(options.defaultEncoding);
  }`;
change(writable4, /  this\.defaultEncoding = \(options && options\.defaultEncoding\) \|\| 'utf8'/, `$&;${checkEncoding}`);
change(readable4, /  this\.defaultEncoding = \(options && options\.defaultEncoding\) \|\| 'utf8'/, `$&;${checkEncoding}`);
change(readable4, /    ERR_STREAM_UNSHIFT_AFTER_END_EVENT\n/, `    ERR_STREAM_UNSHIFT_AFTER_END_EVENT,
    ERR_UNKNOWN_ENCODING
`);
const events = (names) => `if (${since(20)}) this._events ??= { ${names.split(' ').map((name) => `${name}: undefined`).join(', ')} };`;
change(readable4, /  if \(!\(this instanceof Readable\)\) return new Readable\(options\)\n/, `$&  ${events('close error data end readable')}\n`);
change(writable4, /  this\._writableState = new WritableState\(/, `  ${events('close error prefinish finish drain')}\n$&`);
change(duplex4, /  if \(!\(this instanceof Duplex\)\) return new Duplex\(options\)\n/,
       `$&  ${events('close error prefinish finish drain data end readable')}\n`);
// Node 20: after push(null) a transform's callback has a tick of its own.
const transform4 = 'readable-stream-4/lib/internal/streams/transform.js';
change(transform4, /    if \(\n      wState\.ended \|\|/, `    if (rState.ended && ${since(20)}) {
      require('internal/ticks').internalTick(callback);
    } else if (
      wState.ended ||`);
// Node 20: what a write's callback makes the stream finish, finishes on a tick.
change(writable4, /  if \(state\.destroyed\) \{\n    errorBuffer\(state\)\n  \}\n  finishMaybe\(stream, state\)/, `  if (state.destroyed) {
    errorBuffer(state);
  }
  finishMaybe(stream, state, ${since(20)});`);
// Node 22: an error of a stream does not count as its end; Node 26: unpipe() leaves a stream that has ended as it is.
change('readable-stream-4/lib/internal/streams/pipeline.js', /          finish\(err\)\n/, `          if (${since(22)}) finishImpl(err, false);
          else finish(err);
`);
change('readable-stream-4/lib/internal/streams/pipeline.js', /      finish\(new ERR_STREAM_PREMATURE_CLOSE\(\)\)/, `      const early = new ERR_STREAM_PREMATURE_CLOSE();
      if (${since(22)}) finish.onlyError(early);
      else finish(early);`);
change('readable-stream-4/lib/internal/streams/pipeline.js', /  function finishImpl\(err, final\) \{/, `  finish.onlyError = (err) => finishImpl(err, false);
$&`);
change(readable4, /  if \(state\.pipes\.length === 0\) this\.pause\(\)\n  dest\.emit/, `  if (state.pipes.length === 0 && !(state.endEmitted && ${since(26)})) this.pause();
  dest.emit`);
// Node 24: what the destination of pipe() throws destroys it.
change(readable4, /    const ret = dest\.write\(chunk\)\n/, `    let ret;
    try {
      ret = dest.write(chunk);
    } catch (error) {
      if (!(${since(24)})) throw error;
      dest.destroy(error);
    }
`);

const plugin = {
  name: 'loopsim',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point') return undefined;
      if (importer.includes('/readable-stream-') && Object.hasOwn(ofStreams, path)) return { path: ofStreams[path], external: true };
      if (Object.hasOwn(ofLibrary, path)) return { path: ofLibrary[path], external: true };
      if (Object.hasOwn(native, path)) return { path, namespace: 'native' };
      if (path === 'util' || path === 'events' || path.startsWith('internal/') || path.startsWith('vendor/')) return { path, external: true };
      return undefined;
    });
    build.onLoad({ filter: /.*/, namespace: 'native' }, ({ path }) => ({ contents: native[path], resolveDir: work }));
    build.onLoad({ filter: /node_modules/ }, ({ path }) => {
      let text = readFileSync(path, 'utf8');
      if (path.endsWith('readable-stream-4/lib/internal/streams/operators.js')) {  // of many functions
        text = text.replaceAll("['Function', 'AsyncFunction']", `${since(22)} ? 'Function' : ['Function', 'AsyncFunction']`);
      }
      for (const one of changes.filter(({ file }) => path.endsWith(file))) {
        if (!one.from.test(text)) continue;
        one.found++;
        text = text.replace(one.from, one.to);
      }
      return { contents: text };
    });
  },
};

mkdirSync(join(out, 'vendor'), { recursive: true });
const found = new Set();
for (const [name, contents] of Object.entries(bundles)) {
  const { metafile } = await esbuild.build({
    metafile: true,
    stdin: { contents, resolveDir: work },
    outfile: join(out, 'vendor', `${name}.js`),
    banner: { js: globals[name] ?? '' }, define: { global: 'globalThis' }, bundle: true, format: 'cjs',
    platform: 'neutral', mainFields: ['main'], target: 'es2022', legalComments: 'none',
    charset: 'utf8', plugins: [plugin], logLevel: 'warning',
  });
  for (const input of Object.keys(metafile.inputs)) {
    const inside = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (inside) found.add(inside[1]);
  }
}
const missing = [...found].filter((name) => !packages.includes(name));
if (missing.length > 0 || found.size !== packages.length) {
  throw new Error(`bundle.mjs: the bundles have ${[...found].sort().join(', ')}`);
}
for (const { file, from, found: count } of changes) {
  if (count !== 1) throw new Error(`bundle.mjs: ${from} fits ${count} times in ${file}, and should once`);
}
