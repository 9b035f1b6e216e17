// The place of the report is where an error was thrown, its stack where it was made.
'use strict';
function make() {
  const error = new RangeError('made here');
  error.code = 'EXAMPLE';
  error.info = { a: 1 };
  return error;
}
function attempt(error) {
  try {
    throw error;
  } catch (caught) {
    throw caught;
  }
}
process.on('exit', (code) => console.log('exit', code));
setTimeout(function later() {
  attempt(make());
}, 1);
