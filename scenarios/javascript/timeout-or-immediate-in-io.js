// And inside the callback of an I/O operation: `setTimeout(..., 0)` or `setImmediate`?

const fs = require('fs');

fs.access(__filename, () => {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
  console.log('the file is there, or not');
});
