// The event loop guide: a wrong argument is an error for the callback, in a tick.
function call(argument, callback) {
  if (typeof argument !== 'string') return process.nextTick(callback, new TypeError('the argument should be a string'));
  process.nextTick(callback, null, argument.toUpperCase());
}
call(1, (error) => console.log(error.name, error.message));
call('one', (error, value) => console.log(error, value));
console.log('called twice');
