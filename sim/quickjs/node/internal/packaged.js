// What stands in the places of Node's own files where they are not here: nothing, but in WebAssembly (../../packaged).
'use strict';

module.exports = { find: () => undefined };
