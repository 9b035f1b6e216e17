// Error.prepareStackTrace is Node's own function since 20; a program may call it, replace it, and put it back.
'use strict';
var own = Error.prepareStackTrace;
console.log(typeof own, Object.keys(Error).indexOf('prepareStackTrace'));
Error.prepareStackTrace = function (error, sites) { return 'mine ' + (own ? own(error, sites).split('\n').length > 1 : Array.isArray(sites)); };
console.log(new Error('x').stack);
Error.prepareStackTrace = undefined;
console.log(new Error('y').stack.split('\n')[0]);
Error.prepareStackTrace = own;
console.log(new Error('z').stack.split('\n')[0]);
if (own) {
  console.log(own.name, own.length);
  console.log(own(new TypeError('q'), [1, 2]));
  console.log(own(new TypeError('q'), []));
  console.log(own({}, ['a']));
}
