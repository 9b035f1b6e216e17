// src/string_decoder.cc
'use strict';

const { has } = require('internal/version');

module.exports = function makeStringDecoder() {
  const encodings = ['ascii', 'utf8', 'base64', 'utf16le', 'latin1', 'hex', 'buffer'];
  if (has('15.7 14.18')) encodings.push('base64url');
  return { encodings };
};
