// The program of raw_calls.cpp, of a process or a window.
#pragma once

#include <string_view>

namespace loopsim::testing {

inline constexpr std::string_view kRawCallsScript = R"js(
const { raw } = globalThis;
const given = new Uint8Array(globalThis.bytes);
delete globalThis.raw;
delete globalThis.bytes;
const names = Object.keys(raw);
let at = 0;
const next = (count) => (at < given.length ? given[at++] % count : 0);
const isNode = typeof process === 'object';
const { apply } = Reflect;

// ---- hostile values --------------------------------------------------------------------------------------------------
const held = [];  // what bindings returned and threw, and what they called the program with
const hold = (value) => { if (held.length < 200) held.push(value); return value; };
const quietly = (f) => { try { return f(); } catch (error) { return error; } };
let depth = 0;
const again = () => { if (depth < 4) one(); return 1; };
const fails = () => { throw new Error('a trap'); };
const leaves = () => { if (isNode) process.reallyExit(3); return 1; };
const every = (f) => Object.fromEntries(Reflect.ownKeys(Reflect).filter((key) => typeof key === 'string').map((key) => [key, f]));
const accessors = (f) => Object.defineProperty({}, 'length', { get() { f(); return 3; } });
const listed = (f) => { const list = [1, 2, 3]; Object.defineProperty(list, 1, { get: f }); return list; };
const buffer = (change) => {
  const whole = new ArrayBuffer(64, { maxByteLength: 128 });
  const view = new Uint8Array(whole, 8);
  change(whole);
  return view;
};
const text = 'long '.repeat(20000);
const timers = () => {
  const cleared = setTimeout(() => {}, 1); clearTimeout(cleared);
  return [cleared, setTimeout(again, 1), setInterval(function () { clearInterval(this); }, 1)];
};
const values = [
  () => undefined, () => null, () => true, () => false, () => 0, () => -0, () => 1, () => -1, () => 2, () => 3, () => 0.5, () => NaN,
  () => Infinity, () => -Infinity, () => 2 ** 31 - 1, () => 2 ** 31, () => 2 ** 32 - 1, () => 2 ** 32, () => 2 ** 53, () => 2 ** 63,
  () => 2 ** 64, () => 1e300, () => -(2 ** 31), () => -(2 ** 63), () => next(256), () => 'rufcsxplno'.charCodeAt(next(10)), () => '',
  () => 'x', () => '8080', () => '\0', () => '../../etc/passwd', () => '\ud800', () => text, () => 'exit', () => 'SIGTERM', () => 'SIGKILL',
  () => 'sha256', () => Symbol('s'), () => Symbol.iterator, () => 10n, () => 2n ** 70n, () => ({}), () => [], () => [1, 2, 3],
  () => Object.create(null), () => () => 1, () => function (...all) { hold(this); all.forEach(hold); return again(); },
  () => class {}, () => async () => {}, () => function* () {}, () => again, () => fails, () => leaves, () => ({ length: 200000 }),
  () => ({ length: 2 ** 53 }), () => new Array(5), () => Object.assign([], { 9: 1 }), () => Object.freeze([1]),
  () => new Array(70000).fill(1),
  () => listed(again), () => listed(fails), () => accessors(again), () => ({ valueOf: again, toString: again }),
  () => ({ [Symbol.toPrimitive]: again }), () => ({ valueOf: fails, toString: fails }), () => ({ [Symbol.toPrimitive]: leaves }),
  () => new Proxy({}, every(fails)), () => new Proxy(function () {}, every(again)), () => new Proxy([], every(leaves)),
  () => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return proxy; },
  () => new Uint8Array(8), () => new Uint8Array(70000),
  () => buffer((whole) => whole.transfer()), () => buffer((whole) => whole.resize(4)), () => buffer((whole) => whole.resize(128)),
  () => new Uint8Array(new SharedArrayBuffer(8)), () => new DataView(new ArrayBuffer(8)), () => Promise.resolve(1),
  () => [new Map(), new WeakMap(), new Map([[1, 2]]).entries(), new Set([1]).values(), new Date(0), /x/g, new Error('e')][next(7)],
  () => [globalThis, isNode ? process : document, raw, held, Math, Promise.prototype][next(6)], () => timers()[next(3)],
  () => {
    if (!isNode) return held[0];
    const pipe = raw.netPipe();
    const child = () => raw.childStart(1e6, 300, 99, pipe, pipe, 'output');
    return [
      () => setImmediate(again), () => new (require('worker_threads').MessageChannel || Object)().port1, () => pipe, child,
      () => { child(); return child(); }, () => { raw.netMethod(pipe, 'c'.charCodeAt(0)); return child(); },
    ][next(6)]();
  },
  () => raw[names[next(names.length)]], () => held[next(held.length || 1)],
];

// ---- calls -----------------------------------------------------------------------------------------------------------
function one() {
  if (at >= given.length) return undefined;
  depth++;
  const name = names[next(names.length)];
  const list = [];
  for (let count = next(7); count > 0; count--) list.push(quietly(values[next(values.length)]));
  try {
    return hold(list.length > 5 ? apply(raw[name], list[0], list.slice(1)) : raw[name](...list));
  } catch (error) {
    return hold(error);
  } finally {
    depth--;
  }
}

const moments = [
  one,
  () => { one(); one(); },
  () => setTimeout(one, 1),
  () => setTimeout(() => { one(); Promise.resolve().then(one); }, 2),
  () => (isNode ? setImmediate(one) : requestAnimationFrame(one)),
  () => (isNode ? process.nextTick(one) : queueMicrotask(one)),
  () => Promise.resolve().then(one),
  () => (isNode ? process.on('exit', one) : addEventListener('load', one)),
  () => (isNode ? require('async_hooks').createHook({ init: one, before: one, destroy: one }).enable() : Promise.reject(1).catch(one)),
  () => (isNode ? process.on('uncaughtException', (error) => { hold(error); one(); }) : addEventListener('error', one)),
  () => {
    const e = isNode ? new (require('events'))() : new EventTarget();
    isNode ? e.on('x', one).emit('x') : (e.addEventListener('x', one), e.dispatchEvent(new Event('x')));
  },
  () => {
    Error.prepareStackTrace = (error, sites) => { hold(sites); one(); return ''; };
    hold(quietly(() => null.x).stack);
    delete Error.prepareStackTrace;
  },
];
for (let rounds = 0; at < given.length && rounds < 64; rounds++) quietly(moments[next(moments.length)]);
if (isNode) setImmediate(() => { for (let rounds = 0; at < given.length && rounds < 64; rounds++) quietly(one); });
)js";

}  // namespace loopsim::testing
