// What is read of a thrown object, and in which order: a proxy tells.
if (typeof Proxy !== 'undefined') {
  throw new Proxy({ a: 0 }, {
    get: function (target, key) { console.log('get', String(key)); return target[key]; },
    getPrototypeOf: function (target) { console.log('prototype'); return Object.getPrototypeOf(target); },
    getOwnPropertyDescriptor: function (target, key) { console.log('own', String(key)); return Object.getOwnPropertyDescriptor(target, key); },
    ownKeys: function (target) { console.log('keys'); return Reflect.ownKeys(target); },
  });
}
