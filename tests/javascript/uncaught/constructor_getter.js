'use strict';
const promise = Promise.resolve(1);
Object.defineProperty(promise, 'constructor', { get() { console.log('never called'); return Promise; } });
new Promise(function (resolve, reject) { reject(promise); });
