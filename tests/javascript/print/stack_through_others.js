// since 6. The stack of an error, through a proxy and through what inherits from the error.
const through = new Proxy(new Error('x'), {});
const heir = Object.create(new Error('y'));
console.log(typeof through.stack, typeof heir.stack, String(through), heir.stack.split('\n')[0]);
