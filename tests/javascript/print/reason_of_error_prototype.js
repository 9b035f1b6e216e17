// The reason of a rejection looks like an error, and has no stack.
Promise.reject(Object.create(Error.prototype, { message: { value: 'not made by Error()' } }));
