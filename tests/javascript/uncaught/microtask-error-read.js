// What a microtask throws: Node catches it, and V8 knows no place of what is no error, since 16.
queueMicrotask(function () {
  const e = new TypeError('read');
  void e.stack;
  throw e;
});
