// `setTimeout(..., 0)` or `setImmediate` first, in the main script?

setTimeout(() => console.log('timeout'), 0);
setImmediate(() => console.log('immediate'));
