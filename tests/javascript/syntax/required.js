// since 6. A module that cannot be read is an exception; its place stands in the stack.
try {
  require('./broken');
} catch (error) {
  console.log(error.stack.split('\n').slice(0, 5).join('\n'));
  console.log(error instanceof SyntaxError, error.message);
}
process.on('uncaughtException', (error) => console.log('uncaught', error.message));
setTimeout(() => require('./broken'), 1);
