// since 8. Places behind text that is not ASCII.
const s = '日本語', t = '😀'; try { null.foo; } catch (error) { console.log(error.stack.split('\n')[1]); }
/* é */ const f = () => { throw new Error('日'); }; try { f('é'); } catch (error) { console.log(error.stack.split('\n').slice(1, 3).join('\n')); }
const make = '計時'; new Missing(make);
