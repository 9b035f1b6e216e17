// Which release of Node this is.
'use strict';

const native = internalBinding;

module.exports = {
  major() { return native.facts.major; },
};
