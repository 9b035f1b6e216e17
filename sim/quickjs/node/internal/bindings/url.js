// src/node_url.cc
'use strict';

module.exports = function makeUrl() {
  return { toUSVString: (text) => String(text).toWellFormed() };
};
