// The language throws.
'use strict';
const settings = { user: undefined };
process.nextTick(function tick() {
  console.log(settings.user.name);
});
