// stdout only, since 24. Errors that disposal makes.
function bad(n) { return { [Symbol.dispose]() { throw new Error(n); }, [Symbol.asyncDispose]() { return Promise.reject(new Error(n)); } }; }
function show(e) { console.log(e.name, '|', e.message, '|', Object.getOwnPropertyNames(e).join(), '|', e.error && e.error.message, e.suppressed && e.suppressed.message, Object.prototype.hasOwnProperty.call(e, 'message'), String(e.stack).split('\n')[0]); }
try { using a = bad('a'); throw new Error('body'); } catch (e) { show(e); }
try { using a = bad('a'); using b = bad('b'); } catch (e) { show(e); }
try { using a = bad('a'); using b = bad('b'); throw new Error('body'); } catch (e) { show(e); show(e.suppressed); }
try { const s = new DisposableStack(); s.use(bad('x')); s.use(bad('y')); s.dispose(); } catch (e) { show(e); }
(async () => { try { await using a = bad('a'); throw new Error('body'); } catch (e) { show(e); }
try { const s = new AsyncDisposableStack(); s.use(bad('x')); s.use(bad('y')); await s.disposeAsync(); } catch (e) { show(e); }
show(new SuppressedError(new Error('1'), new Error('2'))); show(new SuppressedError(1, 2, 'm'));
})();
