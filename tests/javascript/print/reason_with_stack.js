// The reason of a rejection has a stack, but is no error.
process.on('exit', function (code) { console.log('exit', code); });
Promise.reject({ stack: 'a text of its own', name: 'Name', message: 'message' });
