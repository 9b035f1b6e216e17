// stdout only
// What is called is no function: V8's words name it, whatever stands within its arguments; and its place.
var foo = {}, und;
function bar() { return 1; }
function t(fn) {
  try {
    fn();
  } catch (e) {
    console.log(e.message, /:(\d+:\d+)\)?$/.exec(e.stack.split('\n')[1])[1]);
  }
}
t(function () { und(bar()); });
t(function () { und(2, bar(), function () { return bar(); }); });
t(function () { foo.run(bar(1), bar(2)); });
t(function () { foo.run(bar); });
t(function () { foo.run([1].map(bar)); });
t(function () { foo.run(foo.x); });
t(function () { bar()(); });
t(function () { bar()(bar()); });
t(function () { bar()(2, 3, 4, 5)(6); });
t(function () { (bar())(2); });
t(function () { foo['a'](); });
t(function () { foo['a' + 1](); });
t(function () { foo[bar()](); });
t(function () { (foo.x || foo.y)(1); });
t(function () { (function () { return 3; })()(); });
t(function () { Promise.resolve().then2(bar()); });
t(function () { bar().y(); });
t(function () { new und(); });
t(function () { new foo.Bar(bar()); });
t(function () { setTimeout(bar, 0)
(function () {})(); });
t(function () {
  foo
    .run(
      bar(),
      bar(2));
});
t(function () { var cb; cb(null, bar()); });
