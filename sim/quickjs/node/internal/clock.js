// The clock of the simulated machine, for Node's own use.
'use strict';

const native = internalBinding;

module.exports = {
  now() { return native.hrtime(); },  // nanoseconds
};
