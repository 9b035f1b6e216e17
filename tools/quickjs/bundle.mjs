// Makes files of Node's JavaScript (sim/quickjs/node) out of npm packages: node bundle.mjs WORK OUT
//
// WORK: the folder with node_modules. Each package becomes OUT/vendor/NAME.js: a CommonJS module of that library, which finds
// other files of it by require(), and functions of the engine in internalBinding. Where a package asks for what only the
// engine knows, its text is changed; a change that does not fit is an error, as the packages' versions are pinned.
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changeStreams } from './stream_changes.mjs';

const [work, out] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(join(work, 'package.json'))('esbuild');

// Their text, by the name of the file in the library.
const bundles = {
  inspect: "module.exports = require('node-inspect-extracted');",
  string_decoder: "module.exports = require('string_decoder/');",
  path: "module.exports = require('path-browserify');",
  querystring: "module.exports = require('querystring-es3');",
  url: "module.exports = require('url/');",
  whatwg_url: "module.exports = require('whatwg-url-without-unicode');",
  pako: "module.exports = require('pako');",
  hashes: `
    const { md5, ripemd160, sha1 } = require('@noble/hashes/legacy');
    const { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } = require('@noble/hashes/sha2');
    const { sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256 } = require('@noble/hashes/sha3');
    const { blake2b, blake2s } = require('@noble/hashes/blake2');
    exports.hashes = {
      md5, ripemd160, sha1, sha224, sha256, sha384, sha512, sha512_224, sha512_256, sha3_224, sha3_256, sha3_384, sha3_512, shake128,
      shake256, blake2b, blake2s,
    };
    exports.hmac = require('@noble/hashes/hmac').hmac;
    exports.hkdf = require('@noble/hashes/hkdf').hkdf;
    exports.pbkdf2 = require('@noble/hashes/pbkdf2').pbkdf2;
    exports.scrypt = require('@noble/hashes/scrypt').scrypt;`,
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
  'safe-buffer': 'buffer',
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
  whatwg_url: "const { Buffer } = require('buffer');",
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
const packages = [
  '@noble/hashes', 'acorn', 'assert', 'node-inspect-extracted', 'pako', 'path-browserify',
  'punycode', 'querystring-es3', 'readable-stream-2', 'readable-stream-3', 'readable-stream-4', 'string_decoder',
  'url', 'webidl-conversions', 'whatwg-url-without-unicode',
];

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
change(inspect, /if\((\w+)\.seen\.includes\((\w+)\)\)\{let (\w+)=1;return/,
  `if($1.seen.includes($2)){if(!(${since(14)}))return $1.stylize("[Circular]","special");let $3=1;return`);
change(inspect, /""===(\w+)\.name\?(\w+)\+=" \(anonymous\)"/, `""===$1.name?$2+=(${since(13)}?" (anonymous)":"")`);
change(inspect, /if\((\w+\(\w+,"class"\)&&)/, `if(${since(12)}&&$1`);
// Before Node 12 as much as fits stands in a line, lines of 60 columns, and the first entry behind the brace.
change(inspect, /breakLength:(\w+)\.breakLength,compact:\1\.compact,sorted:\1\./,
  `breakLength:${since(12)}?$1.breakLength:60,compact:${since(12)}?$1.compact:!0,sorted:$1.`);
change(inspect, /"Map",`\(\$\{n\}\)`/, `"Map",${since(14)}?\`(\${n})\`:""`);
change(inspect, /"Set",`\(\$\{n\}\)`/, `"Set",${since(14)}?\`(\${n})\`:""`);
// A stack counts with all its characters before Node 16, and with Node's own frames, which it lacks here, it is too long for a line.
change(inspect, /3===e&&t\.breakLength<(\w+)\((\w),t\.colors\)&&\((\w)=`\\n\$/,
  `3===e&&require("internal/inspect").beginsLine($2,t.breakLength<$1($2,t.colors))&&($3=\`\${${since(10)}?"":" "}\\n$`);
// A message that is found again in the last of the frames here would have had Node's own frames behind it.
change(inspect, /(const (\w)=(\w+)\((\w),"\\n    at",\w)\);if\(/,
  'let $2=$3($4,"\\n    at",f);if(-1===$2)$2=$3($4,"\\n    at");if(');
// The entries of a map or set stood no deeper before Node 10.
change(inspect, /(s=\[\];e\.indentationLvl\+=)2(?=;let c=0;for\(const)/g, `$1${since(10)}?2:0`);
change(inspect, /(b\(s,ar\(l\)\),e\.indentationLvl-=)2/g, `$1${since(10)}?2:0`);
change(inspect, /(function \w+\(t,e,n,r\)\{)(?=let (\w)=e\.length\+n;if\(\2\+e\.length>t\.breakLength)/,
  `$1if(!(${since(16)})&&e.some(require("internal/inspect").hasFrames))return!1;`);
change(inspect, /return""===(\w)\|\|!(\w+)\(\1,"\\n"\)\}/, `return""===$1||!(${since(12)})||!$2($1,"\\n")}`);
change(inspect, /(\w+)\((\w),(\w),(\w),`\(\$\{(\w)\}\)`\)\}\[`/, `$1($2,$3,$4,${since(12)}?\`(\${$5})\`:"")}[\``);
change(inspect, /"Array",`\(\$\{e\.length\}\)`/, `"Array",${since(12)}?\`(\${e.length})\`:""`);
change(inspect, /if\(!(\w+)\((\w),"\\n"\)\)return/, `if(!(${since(16)})||!$1($2,"\\n"))return`);
// Before Node 10 neither a tag nor that there is no prototype; before Node 12 also a tag that is shown as a property.
change(inspect, /(const (\w)=\w+\(e,t,o,s\));(?=void 0!==s)/, `$1??(${since(10)}?null:"Object");`);
change(inspect, /\("string"!=typeof (\w)\|\|(""!==\1&&\(\w\.showHidden\?)/, `(!(${since(10)})||"string"!=typeof $1||${since(12)}&&$2`);
change(inspect, /else if\((\w+\(e\))\)(?=f\[0\]=`\$\{\w+\(c,u,"WeakSet"\)\}\{`)/, `else if(${since(10)}&&$1)`);
change(inspect, /else if\((\w+\(e\))\)(?=f\[0\]=`\$\{\w+\(c,u,"WeakMap"\)\}\{`)/, `else if(${since(10)}&&$1)`);
change(inspect, /(\w+)\(e\)&&\((\w)=`Generator/, `${since(8)}&&$1(e)&&($2=\`Generator`);
change(inspect, /0!==r\.length&&\$\(n,f\(r,/, `0!==r.length&&${since(8)}&&$(n,f(r,`);
change(inspect, /"<items unknown>"/, `${since(11)}?"<items unknown>":"[items unknown]"`);
change(inspect, /if\(-1===(\w)\)(\w)=`\[\$\{\2\}\]`;else\{/,
  `if(!(${since(6)}))$2=require("internal/inspect").withoutStack(t);else ` +
  'if(-1===$1){if(require("internal/inspect").isInBrackets(t,r.indentationLvl))$2=`[${$2}]`}else{');
change(inspect, /(function \w+\(t\)\{)(?=let e=\w+,n=\w+,r=39;)/,
  `$1if(!(${since(16)})){return require("internal/inspect").quoted(t)}`);
change(inspect, /previewEntries:t=>\[\[\],!1\]/, 'previewEntries:(t,e)=>require("internal/values").previewEntries(t,e)');
change(inspect, /(e\+=`\$\{t\} Iterator`\)),\[`\[\$\{e\}\] \{`/, `$1,[${since(10)}?\`[\${e}] {\`:\`\${t}Iterator {\``);
change(inspect, /(\w\[0\]=\w+\(\/ Iterator\] \{\$\/,\w\[0\]," Entries\] \{"\))/, `${since(11)}&&($1)`);
change(inspect, /case 79:(?=l=)/, `case 79:if(!(${since(8)}))continue;`);
change(inspect, /case 111:(?=l=)/, `case 111:if(!(${since(8)}))continue;`);
// %s was String(), and %d Number(), which have no -0.
change(inspect, /(case 115:\{const n=e\[\+\+r\];l=)(?="number"==typeof n\?)/, `$1!(${since(12)})?String(n):`);
change(inspect, /"symbol"==typeof n\?"NaN":(\w+)\((\w+)\(n\),t\);break\}case 79/,
  `"symbol"==typeof n?"NaN":$1($2(n)+(${since(12)}?-0:0),t);break}case 79`);
change(inspect, /case 105:(?=\{const)/, `case 105:if(!(${since(6)}))continue;`);
change(inspect, /case 102:(?=\{const)/, `case 102:if(!(${since(6)}))continue;`);
change(inspect, /case 99:(?=r\+=1,l="")/, `case 99:if(!(${since(12)}))continue;`);
change(inspect, /if\((\w+\(e\))\?(?=\w\[0\]="\[Arguments\] \{")/, `if(${since(10)}&&$1?`);
change(inspect, /return s>0(?=&&\(i\+=` \.\.\. \$\{s\} more byte)/, `if(!(${since(11)}))return[];return s>0`);
const assertion = 'assert/build/internal/assert/assertion_error.js';
change(assertion, /\\n\\nshould equal\\n\\n/,
       `\\n\\nshould " + (operator === "equal" || !(${since(12)}) ? "equal" : "loosely deep-equal") + "\\n\\n`);
change(assertion, /Values identical but not reference-equal:/, 'Values have same structure but are not reference-equal:');
change(assertion, /if \(message != null\) \{\s+_this = _super.call\(this, String\(message\)/,
       `if (message != null) {
      _this = _super.call(this, String(message) + require('internal/assert_message').difference(operator, function () {
        return createErrDiff(actual, expected, operator);
      })`);
change(assertion, /\.concat\(end\)\.concat\(indicator\);/, `.concat(end).concat(indicator) + (${since(22)} ? "\\n" : "");`);
// Before Node 10 the two values and an operator; before 12 the code is a part of the name, and before 8 there is none.
change(assertion, /operator = options\.operator,/, `operator = require('internal/assert_message').operatorOf(options),`);
change(assertion, /if \(operator === 'deepStrictEqual' \|\| operator === 'strictEqual'\)/, `if (!(${since(10)})) {
        _this = _super.call(this, require('internal/assert_message').earlyMessage(actual, operator, expected));
      } else if (operator === 'deepStrictEqual' || operator === 'strictEqual')`);
change(assertion, /value: 'AssertionError \[ERR_ASSERTION\]',\s+enumerable: false/,
       `value: ${since(8)} ? 'AssertionError [ERR_ASSERTION]' : 'AssertionError', enumerable: !(${since(12)})`);
change(assertion, /_this\.code = 'ERR_ASSERTION';/, `if (${since(8)}) _this.code = 'ERR_ASSERTION';`);
change(assertion, /_this\.name = 'AssertionError';/, `if (${since(12)}) _this.name = 'AssertionError';`);
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
// Since Node 26 a message is all that assert.fail() takes.
change(asserting, /var argsLen = arguments\.length;/, `var argsLen = arguments.length;
  if (argsLen > 1 && ${since(26)}) {
    argsLen = 1;
    expected = operator = stackStartFn = undefined;
  }`);
change(asserting, /if \(message !== undefined\) \{\s+errArgs\.message = message;/, `if (internalMessage || message !== undefined) {
    errArgs.message = internalMessage || message;`);
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

// QuickJS copies the rest of the text for a slice, and looks for a ^ everywhere in it.
const parser = 'acorn/dist/acorn.js';
change(parser, /var literal = \/\^(.*)\/;/, 'var literal = /$1/y;');
change(parser, /literal\.exec\(this\.input\.slice\(start\)\)/, '(literal.lastIndex = start, literal.exec(this.input))');

changeStreams(change, since);

const plugin = {
  name: 'loopsim',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point') return undefined;
      if (importer.includes('/readable-stream-') && Object.hasOwn(ofStreams, path)) {
        return { path: ofStreams[path], external: true };
      }
      if (Object.hasOwn(ofLibrary, path)) return { path: ofLibrary[path], external: true };
      if (Object.hasOwn(native, path)) return { path, namespace: 'native' };
      if (path === 'util' || path === 'events' || /^(?:internal|vendor)\//.test(path)) return { path, external: true };
      return undefined;
    });
    build.onLoad({ filter: /.*/, namespace: 'native' }, ({ path }) => ({ contents: native[path], resolveDir: work }));
    build.onLoad({ filter: /node_modules/ }, ({ path }) => {
      let text = readFileSync(path, 'utf8');
      for (const one of changes.filter(({ file }) => path.endsWith(file))) {
        if (typeof one.from === 'string' ? !text.includes(one.from) : !one.from.test(text)) continue;
        one.found++;
        text = typeof one.from === 'string' ? text.replaceAll(one.from, () => one.to) : text.replace(one.from, one.to);
      }
      return { contents: text };
    });
  },
};

mkdirSync(join(out, 'vendor'), { recursive: true });
const found = new Set();
function noteInput(input) {
  const inside = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (inside) found.add(inside[1]);
}
// esbuild names modules by their way from this folder: from that in which it was started, the same sources would give other bytes.
const absWorkingDir = work;
for (const [name, contents] of Object.entries(bundles)) {
  const { metafile } = await esbuild.build({
    metafile: true, absWorkingDir,
    stdin: { contents, resolveDir: work },
    outfile: join(out, 'vendor', `${name}.js`),
    banner: { js: globals[name] ?? '' }, define: { global: 'globalThis' }, bundle: true, format: 'cjs',
    platform: 'neutral', mainFields: ['main'], target: 'es2022', legalComments: 'none',
    charset: 'utf8', plugins: [plugin], logLevel: 'warning',
  });
  for (const input of Object.keys(metafile.inputs)) noteInput(input);
}

// The parser of a program's syntax (sim/quickjs/syntax): one script, whose function is a global variable.
const { metafile: ofSyntax } = await esbuild.build({
  metafile: true, absWorkingDir, entryPoints: [join(dirname(fileURLToPath(import.meta.url)), '../../sim/quickjs/syntax/constructs.js')],
  nodePaths: [join(work, 'node_modules')],
  outfile: join(out, 'syntax.js'), bundle: true, minify: true, format: 'iife', globalName: '__loopsim_constructs', platform: 'neutral',
  mainFields: ['main'], target: 'es2022', legalComments: 'none', charset: 'utf8', plugins: [plugin], logLevel: 'warning',
});
for (const input of Object.keys(ofSyntax.inputs)) noteInput(input);
const missing = [...found].filter((name) => !packages.includes(name));
if (missing.length > 0 || found.size !== packages.length) {
  throw new Error(`bundle.mjs: the bundles have ${[...found].sort().join(', ')}`);
}
for (const { file, from, found: count } of changes) {
  if (count !== 1) throw new Error(`bundle.mjs: ${from} fits ${count} times in ${file}, and should once`);
}
