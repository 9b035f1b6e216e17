// Abort signals: listeners that end with them, the event abort, which comes once and synchronously, signals of signals, and of a time.
const controller = new AbortController();
const target = new EventTarget();
target.addEventListener('ping', () => console.log('ping'), { signal: controller.signal });
target.dispatchEvent(new Event('ping'));
controller.signal.addEventListener('abort', () => console.log('abort event', controller.signal.aborted, controller.signal.reason));
const any = AbortSignal.any([controller.signal, new AbortController().signal]);
any.onabort = () => console.log('abort event of any', any.reason);
controller.signal.onabort = () => {
  console.log('onabort');
  target.dispatchEvent(new Event('ping'));
  queueMicrotask(() => console.log('microtask'));
};
console.log('abort');
controller.abort('the reason');
controller.abort('another reason');
console.log('aborted');
try {
  controller.signal.throwIfAborted();
} catch (reason) {
  console.log('thrown', reason);
}
const plain = new AbortController();
plain.abort();
console.log(plain.signal.reason.name, plain.signal.reason instanceof DOMException);
const timed = AbortSignal.timeout(30);
timed.onabort = () => console.log('timed', timed.reason.name);
