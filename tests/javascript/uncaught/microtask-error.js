// What a microtask throws: Node catches it, and V8 knows no place of what is no error, since 16.
queueMicrotask(function () {
  throw new Error('e');
});
