// What AsyncResource.bind() makes of `this`: up to Node 14, of the first argument.
'use strict';

const { AsyncResource } = require('async_hooks');
const shown = (value) => (value === globalThis ? 'globalThis' : String(value));
const show = function (...args) { console.log(shown(this), args); };
const bound = AsyncResource.bind(show);
bound(1, 2);
bound.call('given', 3);
console.log(bound.length);
const own = new AsyncResource('own');
own.bind(show)(1, 2);
own.bind(show, 'kept')(1, 2);
own.bind(show, 'kept').call('given', 3);
