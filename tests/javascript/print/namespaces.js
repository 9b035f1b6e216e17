// stdout only. Namespaces of modules.
'use strict';
const util = require('util');
Promise.all([import('./modules/several.mjs'), import('./modules/empty.mjs')]).then(([ns, empty]) => {
  console.log(ns);
  console.log(empty, [empty], { empty });
  console.log([ns], new Map([['k', ns]]));
  console.log(util.inspect(ns, { depth: 0 }), util.inspect({ a: { b: { c: ns } } }));
  console.log(util.format('%s %j', ns, ns));
  console.log(util.types.isModuleNamespaceObject(ns), util.types.isModuleNamespaceObject({ __proto__: null, [Symbol.toStringTag]: 'Module' }));
  console.log(Object.prototype.toString.call(ns), Object.keys(ns));
});
