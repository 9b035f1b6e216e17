// dns/promises (lib/dns/promises.js).
'use strict';

module.exports = require('dns').promises;
