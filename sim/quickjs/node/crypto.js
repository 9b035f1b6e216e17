// crypto (lib/crypto.js): what takes time there, not what it computes.
'use strict';

module.exports = {};
