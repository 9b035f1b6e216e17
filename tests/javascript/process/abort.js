// stdout only
process.on('exit', () => console.log('exit: never'));
process.on('SIGABRT', () => console.log('SIGABRT: never'));
setTimeout(() => {
  try {
    console.log('aborts');
    process.abort();
  } finally {
    console.log('finally: never');
  }
}, 1);
