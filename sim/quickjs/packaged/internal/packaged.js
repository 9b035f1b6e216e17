// What stands in the places of Node's own files where they are not here: packages of npm, with what differs between versions where
// bundle.mjs has changed them, and what they have not.
'use strict';

const { chooseStreams, restrictStreams } = require('internal/packaged_streams');

let packaged;  // by name

// undefined: there is none.
function find(name) {
  if (packaged === undefined) {
    packaged = { __proto__: null };
    chooseStreams();
    restrictStreams(packaged);
  }
  return packaged[name];
}

module.exports = { find };
