// A text is thrown: there is no stack.
'use strict';
function fail() {
  throw 'just a text';
}
fail();
