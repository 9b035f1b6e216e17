// stream/promises (lib/stream/promises.js).
'use strict';

const { onChosen } = require('internal/streams');

module.exports = onChosen((Stream) => { module.exports = Stream.promises; }).promises;
