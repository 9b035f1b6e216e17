// stream (lib/stream.js).
'use strict';

const { onChosen } = require('internal/streams');

module.exports = onChosen((Stream) => { module.exports = Stream; });
