// process.exit() ends by process.reallyExit(), which some packages replace; that emits nothing.
var really = process.reallyExit;
process.on('exit', function (code) { console.log('exit', code); });
process.reallyExit = function (code) {
  console.log('replaced', code);
  process.reallyExit = really;
  process._exiting = false;
  process.reallyExit(code + 1);
};
setTimeout(function () { process.exit(3); }, 1);
