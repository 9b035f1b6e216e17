// What stands for a rejection with what is no error: its class, its properties in their order, its texts.
process.on('uncaughtException', (err, origin) => {
  console.log(origin, String(err), err.constructor.name, Object.getPrototypeOf(err) === Error.prototype, Object.keys(err).join());
  for (const name of Object.getOwnPropertyNames(err)) {
    const { enumerable, configurable, value } = Object.getOwnPropertyDescriptor(err, name);
    console.log(name, enumerable, configurable, name === 'stack' ? err.stack.split('\n')[0] : value);
  }
  console.log(Object.prototype.toString.call(err), err instanceof Error, JSON.stringify(err));
});
Promise.reject(null);
Promise.reject('text');
