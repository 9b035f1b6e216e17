// stdout only, since 8. In a function that is not async.
function f() {
  await 1;
}
f();
