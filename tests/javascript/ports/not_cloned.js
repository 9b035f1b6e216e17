// stdout only. What messages and structuredClone() refuse, and in which words.
'use strict';
const { MessageChannel } = require('worker_threads');
const told = (name, give) => {
  try { give(); console.log(name, 'ok'); } catch (error) { console.log(name, error.name, error.code, error.message); }
};
const { port1, port2 } = new MessageChannel();
const other = new MessageChannel();
told('own port', () => port1.postMessage(port1));
told('peer', () => port1.postMessage(port2));
told('other port', () => port1.postMessage(other.port1));
told('inside', () => port1.postMessage({ a: [other.port2] }));
told('channel', () => port1.postMessage(other));
const timer = setTimeout(() => {}, 1);
told('timer', () => port1.postMessage(timer));
clearTimeout(timer);
const immediate = setImmediate(() => {});
told('immediate', () => port1.postMessage(immediate));
clearImmediate(immediate);
for (const [name, make] of [
  ['helper', () => [1].values().map((x) => x)], ['from', () => Iterator.from({ next() {} })], ['concat', () => Iterator.concat([1])],
  ['generator', () => (function* () {})()], ['promise', () => Promise.resolve()], ['array iterator', () => [].values()],
]) {
  let value;
  try { value = make(); } catch (error) { continue; }
  told(name, () => port1.postMessage(value));
}
if (typeof structuredClone === 'function') {
  told('clone of a port', () => structuredClone(other.port1));
  told('clone of an exception', () => console.log(Object.prototype.toString.call(structuredClone(new DOMException('a', 'AbortError')))));
}
port2.onmessage = (event) => {
  told('event', () => port2.postMessage(event));
  port1.close();
};
port1.postMessage(1);
other.port1.close();
