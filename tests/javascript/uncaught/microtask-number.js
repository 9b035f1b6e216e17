// What a microtask throws: Node catches it, and V8 knows no place of what is no error, since 11.
queueMicrotask(function () {
  throw 0;
});
