// process: unhandledRejection tells the reason and the promise.
const failing = Promise.reject(new Error('not handled'));
process.on('unhandledRejection', (reason, promise) => {
  console.log('Unhandled Rejection', promise === failing, reason.message);
});
function Resource() { this.loaded = Promise.reject(new Error('Resource not yet loaded!')); }
const resource = new Resource();
setTimeout(() => resource.loaded.catch((error) => console.log('later:', error.message)), 5);
