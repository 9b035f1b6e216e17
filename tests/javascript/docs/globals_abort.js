// globals: AbortController, reasons, throwIfAborted, AbortSignal.abort.
const ac = new AbortController();
ac.signal.addEventListener('abort', (event) => console.log('Aborted!', event.type), { once: true });
ac.abort('because');
console.log(ac.signal.aborted, ac.signal.reason);
try { ac.signal.throwIfAborted(); } catch (reason) { console.log('thrown', reason); }
console.log(AbortSignal.abort().reason.name);
