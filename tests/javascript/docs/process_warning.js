// stdout only
// process: warnings are emitted in a tick, with their code and detail.
process.on('warning', (warning) => {
  console.log(warning.name, warning.message, warning.code, warning.detail);
});
process.emitWarning('Something happened!', { code: 'MY_WARNING', detail: 'This is some additional information' });
process.emitWarning('Something else', 'CustomWarning', 'WARN001');
process.emitWarning(new TypeError('an error'));
console.log('before the warnings');
