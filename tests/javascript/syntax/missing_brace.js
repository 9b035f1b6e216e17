// A function that nothing closes.
function wait(ms) {
  setTimeout(function () {
    console.log(ms);
  }, ms);
