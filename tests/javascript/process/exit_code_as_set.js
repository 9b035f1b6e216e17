// What a listener of 'exit' is given, and reads: a text with a number of 33 bits.
process.on('exit', function (code) {
  console.log(typeof code, String(code), typeof process.exitCode, String(process.exitCode));
});
process.exitCode = '4294967298';
console.log(typeof process.exitCode);
process.exit();
