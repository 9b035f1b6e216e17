// since 6. The reason of a rejection is a proxy of an error.
Promise.reject(new Proxy(new Error('x'), {}));
