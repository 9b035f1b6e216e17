// string_decoder (lib/string_decoder.js): the package of that name.
'use strict';

module.exports = { StringDecoder: require('vendor/string_decoder').StringDecoder };
