// What Error.prepareStackTrace() is told of functions of the language.
'use strict';

Error.prepareStackTrace = (error, sites) => sites;

function say(site) {
  console.log(String(site), site.getTypeName(), site.getFunctionName(), site.getMethodName(), site.isToplevel(), site.isNative(),
              site.isConstructor());
}

[1].map(() => say(new Error().stack[1]));
new Map([[1, 1]]).forEach(() => say(new Error().stack[1]));
JSON.stringify({ toJSON() { say(new Error().stack[1]); } });
'a'.replace(/a/, () => say(new Error().stack[1]));
new Promise(() => say(new Error().stack[1]));
